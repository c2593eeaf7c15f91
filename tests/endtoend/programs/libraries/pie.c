// A program that is told to be relocatable, with its symbols hidden and bound early.
// flags: -pie -fPIE -fvisibility=hidden -Wl,-z,now
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
