// pthread_once, and threads by their C11 name.
// flags: -pthread
// expect: main( initialise )
// expect stream: worker( f )
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

#include "keep.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void) { value = 7; DONE; }
KEEP static void f(void) { ++value; DONE; }
static int worker(void *argument) {
  f();
  DONE;
  return argument == NULL;
}

int main(void) {
  pthread_once(&once, initialise);
  pthread_once(&once, initialise);
  thrd_t thread;
  int result = 0;
  thrd_create(&thread, worker, NULL);
  thrd_join(thread, &result);
  printf("%d %d\n", value, result);
  return 0;
}
