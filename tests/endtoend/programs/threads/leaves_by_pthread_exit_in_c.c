// The same in C as it is compiled by default, whose functions have no landing pads: frames end with
// their thread.
// flags: -pthread
// expect: main( before )
// expect stream: worker( f( g( leave ) ) )
#include <pthread.h>
#include <stdio.h>

#include "keep.h"

KEEP static void before(void) { DONE; }
KEEP static void leave(void *result) {
  DONE;
  pthread_exit(result);
}
KEEP static void g(void *result) {
  leave(result);
  DONE;
}
KEEP static void f(void *result) {
  g(result);
  DONE;
}
static void *worker(void *argument) {
  f(argument);
  DONE;
  return NULL;
}

int main(void) {
  before();
  pthread_t thread;
  int number = 4;
  void *result = NULL;
  pthread_create(&thread, NULL, worker, &number);
  pthread_join(thread, &result);
  printf("%d\n", *(int *)result);
  return 0;
}
