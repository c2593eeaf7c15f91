// _exit: no handlers run.
// expect: main!( f!( g ) )
// expect status: 4
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "keep.h"

static void at_exit(void) { puts("not reached"); DONE; }
KEEP static void g(void) { DONE; }
KEEP static void f(void) {
  g();
  _exit(4);
}

int main(void) {
  atexit(at_exit);
  f();
  return 0;
}
