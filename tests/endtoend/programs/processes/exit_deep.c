// exit() deep in a call: frames stay open, and what atexit was told runs on top of them.
// expect: main!( f!( g!( h at_exit( helper ) destructor ) ) )
// expect status: 3
// golden
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

KEEP static void helper(void) { puts("helper"); DONE; }
static void at_exit(void) { helper(); DONE; }
__attribute__((destructor)) static void destructor(void) { puts("destructor"); DONE; }
KEEP static void h(void) { DONE; }
KEEP static void g(void) {
  h();
  exit(3);
}
KEEP static void f(void) {
  g();
  DONE;
}

int main(void) {
  atexit(at_exit);
  f();
  DONE;
  return 0;
}
