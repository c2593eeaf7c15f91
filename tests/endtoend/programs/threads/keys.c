// Destructors of a thread's keys run when its own function has ended, and may set their keys again.
// flags: -pthread
// expect: main
// expect stream: worker destroy( helper ) destroy( helper ) destroy( helper )
#include <pthread.h>
#include <stdio.h>

#include "keep.h"

static pthread_key_t key;

KEEP static void helper(long n) { printf("%ld\n", n); DONE; }
static void destroy(void *value) {
  helper((long)value);
  if ((long)value < 3) pthread_setspecific(key, (void *)((long)value + 1));
  DONE;
}
static void *worker(void *argument) {
  pthread_setspecific(key, (void *)1L);
  DONE;
  return argument;
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
