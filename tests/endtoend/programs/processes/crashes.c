// A null pointer is written to: the last block is the one that does it.
// expect: main!( 10*f crash! )
// expect status: signal 11
// expect last line: 20
// golden
#include <stdio.h>

#include "keep.h"

static int *volatile nowhere;

KEEP static void f(int i) {
  if (i % 2 == 0) puts("even");
  DONE;
}
KEEP static void crash(int x) {
  if (x > 5) {
    puts("crash");
    fflush(stdout);
    *nowhere = x;
  }
  DONE;
}

int main(void) {
  for (int i = 0; i < 10; ++i) f(i);
  crash(6);
  return 0;
}
