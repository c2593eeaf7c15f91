// main's thread ends before the others: the process goes on, and its stream is complete.
// flags: -pthread
// expect: main( leave )
// expect stream: worker( 5*late )
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "keep.h"

KEEP static void late(int i) {
  usleep(2000);
  printf("%d\n", i);
  DONE;
}
static void *worker(void *argument) {
  for (int i = 0; i < 5; ++i) late(i);
  DONE;
  return argument;
}
KEEP static void leave(void) { pthread_exit(NULL); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  leave();
  DONE;
  return 0;
}
