// Functions that do not return: what they called has ended, they have not.
// expect: main!( before fail!( report( before ) ) )
// expect status: 3
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

KEEP static void before(void) { puts("before"); DONE; }
KEEP static void report(int n) { before(); printf("%d\n", n); DONE; }
__attribute__((noreturn)) KEEP static void fail(int n) {
  report(n);
  exit(n);
}

int main(void) {
  before();
  fail(3);
}
