// Signals for threads: each has its own stream for handlers.
// flags: -pthread
// expect: main
// expect 2 streams: worker( f )
// expect 2 signals: handler( helper )
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static int counts[2];
static __thread int number;

KEEP static void helper(void) { ++counts[number]; DONE; }
static void handler(int which) {
  (void)which;
  helper();
  DONE;
}
KEEP static void f(void) {
  pthread_kill(pthread_self(), SIGUSR1);
  DONE;
}
static void *worker(void *argument) {
  number = *(int *)argument;
  f();
  DONE;
  return NULL;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%d %d\n", counts[0], counts[1]);
  return 0;
}
