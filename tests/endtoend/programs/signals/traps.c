// __builtin_trap: no handler, no return.
// expect: main!( f checked! )
// expect status: signal 5
#include <stdio.h>

#include "keep.h"

static volatile int limit = 3;

KEEP static void f(void) { DONE; }
KEEP static int checked(int i) {
  if (i >= limit) __builtin_trap();
  DONE;
  return i;
}

int main(void) {
  f();
  printf("%d\n", checked(5));
  return 0;
}
