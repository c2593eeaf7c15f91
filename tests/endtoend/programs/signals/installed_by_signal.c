// A handler installed by signal(), called while main runs: kept apart from what it interrupts.
// expect: main( f f )
// expect signals: handler( helper ) handler( helper )
// golden
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static volatile int count;

KEEP static void helper(int number) { count += number == SIGUSR1; DONE; }
static void handler(int number) {
  helper(number);
  DONE;
}
KEEP static void f(void) {
  raise(SIGUSR1);
  DONE;
}

int main(void) {
  signal(SIGUSR1, handler);
  f();
  f();
  printf("%d\n", count);
  return 0;
}
