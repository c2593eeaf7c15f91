// Eight threads at once: each stream is exact.
// flags: -pthread
// expect: main
// expect 4 streams: worker( 10000*f )
// expect 4 streams: worker( 10000*( f g( f ) ) )
#include <pthread.h>
#include <stdio.h>

#include "keep.h"

KEEP static int f(int x) { DONE; return x + 1; }
KEEP static int g(int x) {
  int y = f(x);
  DONE;
  return y;
}
static void *worker(void *argument) {
  int kind = *(int *)argument;
  int x = 0;
  for (int i = 0; i < 10000; ++i) {
    x = f(x);
    if (kind == 1) x = g(x);
  }
  *(int *)argument = x;
  return NULL;
}

int main(void) {
  pthread_t threads[8];
  int numbers[8];
  for (int i = 0; i < 8; ++i) {
    numbers[i] = i % 2;
    pthread_create(&threads[i], NULL, worker, &numbers[i]);
  }
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    pthread_join(threads[i], NULL);
    sum += numbers[i];
  }
  printf("%d\n", sum);
  return 0;
}
