// A call that must be a jump is one at every level.
// expect: main( first second third 1000*( ping pong ) ping )
#include <stdio.h>

#include "keep.h"

KEEP static int third(int x) { DONE; return x + 1; }
KEEP static int second(int x) {
  DONE;
  __attribute__((musttail)) return third(x);
}
KEEP static int first(int x) {
  DONE;
  __attribute__((musttail)) return second(x);
}

static int pong(int n);
KEEP static int ping(int n) {
  DONE;
  if (n == 0) return 7;
  __attribute__((musttail)) return pong(n - 1);
}
KEEP static int pong(int n) {
  DONE;
  __attribute__((musttail)) return ping(n - 1);
}

int main(void) {
  int x = first(1);
  x += ping(2000);
  printf("%d\n", x);
  return 0;
}
