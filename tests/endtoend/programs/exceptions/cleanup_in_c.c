// C with -fexceptions and variables with a cleanup, left by a forced unwinding.
// flags: -fexceptions -pthread
// expect: main
// expect stream: thread( inner( leave cleaned ) cleaned )
#include <pthread.h>
#include <stdio.h>

#include "keep.h"

KEEP static void cleaned(int *x) { printf("cleaned %d\n", *x); DONE; }
KEEP static void leave(void) {
  DONE;
  pthread_exit(NULL);
}
KEEP static void inner(void) {
  __attribute__((cleanup(cleaned))) int x = 2;
  leave();
  DONE;
}
static void *thread(void *argument) {
  __attribute__((cleanup(cleaned))) int x = 1;
  inner();
  DONE;
  return argument;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  return 0;
}
