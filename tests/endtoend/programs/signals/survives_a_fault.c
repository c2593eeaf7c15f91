// A program that survives its own faults, by jumping out of SIGSEGV's handler.
// expect: main( probe( touch ) probe( touch ) probe( touch ) )
// expect signals: handler!( handler! )
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static sigjmp_buf place;
static int *volatile nowhere;
static int something = 5;

static void handler(int number) { siglongjmp(place, number); }
KEEP static int touch(volatile int *at) {
  int value = *at;
  DONE;
  return value;
}
KEEP static int probe(volatile int *at) {
  volatile int result = -1;
  if (sigsetjmp(place, 1) == 0) result = touch(at);
  return result;
}

int main(void) {
  signal(SIGSEGV, handler);
  int sum = probe(nowhere);
  sum += 10 * probe(&something);
  sum += 100 * probe(nowhere);
  printf("%d\n", sum);
  return 0;
}
