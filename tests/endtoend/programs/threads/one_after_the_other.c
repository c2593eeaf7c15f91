// A hundred threads in a row: as many streams, although rings are used again.
// flags: -pthread
// expect: main
// expect 100 streams: worker( f )
#include <pthread.h>
#include <stdio.h>

#include "keep.h"

KEEP static void f(int *x) { ++*x; DONE; }
static void *worker(void *argument) {
  f(argument);
  DONE;
  return NULL;
}

int main(void) {
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &count);
    pthread_join(thread, NULL);
  }
  printf("%d\n", count);
  return 0;
}
