// A program at a fixed address.
// flags: -no-pie -fno-pie
// expect: main( f( g ) )
#include <stdio.h>

#include "keep.h"

KEEP static void g(void) { puts("g"); DONE; }
KEEP static void f(void) { g(); DONE; }

int main(void) {
  f();
  DONE;
  return 0;
}
