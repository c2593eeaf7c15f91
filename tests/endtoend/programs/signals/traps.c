// __builtin_trap: no handler, no return.
// expect: main!( f checked! )
// expect aarch64 status: signal 5
// expect x86_64 status: signal 4
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
