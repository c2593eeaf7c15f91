// exit() while a thread waits: its frames stay open.
// flags: -pthread
// expect: main( started )
// expect stream: worker!( waits!( f ) )
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include "keep.h"

static sem_t ready;

KEEP static void f(void) { DONE; }
KEEP static void waits(void) {
  f();
  sem_post(&ready);
  for (;;) pause();
}
static void *worker(void *argument) {
  waits();
  DONE;
  return argument;
}
KEEP static void started(void) { sem_wait(&ready); DONE; }

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  started();
  puts("bye");
  return 0;
}
