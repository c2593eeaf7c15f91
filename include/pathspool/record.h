/* Calls by which a program that was built with `pathspool cc` says what of it is recorded. For C
 * and C++.
 *
 * A program may make them whether or not it is recorded, instrumented, or linked with Pathspool's
 * runtime: where there is nothing to do, they do nothing. */
#ifndef PATHSPOOL_RECORD_H
#define PATHSPOOL_RECORD_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's own functions, absent in a program without it: call those below instead. */
extern void pathspool_runtime_start(void) __attribute__((weak));
extern void pathspool_runtime_stop(void) __attribute__((weak));
extern void pathspool_runtime_mark(const char* text) __attribute__((weak));
extern int pathspool_runtime_recording(void) __attribute__((weak));

#define PATHSPOOL_RECORD_INLINE \
  static inline __attribute__((always_inline, unused, no_instrument_function))

/* Records the calling thread from here on, as a new stream that begins inside the functions that
 * are open. Does nothing if the thread is being recorded, or in a signal handler. */
PATHSPOOL_RECORD_INLINE void pathspool_start(void) {
  if (pathspool_runtime_start) pathspool_runtime_start();
}

/* Records the calling thread no more, until it calls pathspool_start(). Other threads are not
 * concerned; those that it starts later are recorded, unless the recording as a whole began paused.
 * Does nothing in a signal handler. */
PATHSPOOL_RECORD_INLINE void pathspool_stop(void) {
  if (pathspool_runtime_stop) pathspool_runtime_stop();
}

/* Leaves a note in the calling thread's stream: at most 4096 bytes of UTF-8, a longer text is cut.
 */
PATHSPOOL_RECORD_INLINE void pathspool_mark(const char* text) {
  if (pathspool_runtime_mark) pathspool_runtime_mark(text);
}

/* 1 if the calling thread is being recorded, 0 if not. */
PATHSPOOL_RECORD_INLINE int pathspool_recording(void) {
  return pathspool_runtime_recording ? pathspool_runtime_recording() : 0;
}

#undef PATHSPOOL_RECORD_INLINE

#ifdef __cplusplus
}
#endif

#endif
