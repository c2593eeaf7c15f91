// longjmp over frames: they end where setjmp returns again.
// expect: main( f( g( h ) note ) note f( g( h after ) after ) )
// golden
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;

KEEP static void note(int x) { printf("%d\n", x); DONE; }
KEEP static void after(void) { puts("after"); DONE; }
KEEP static void h(int x) {
  if (x > 0) longjmp(place, x);
  DONE;
}
KEEP static void g(int x) {
  h(x);
  after();
  DONE;
}
KEEP static void f(int x) {
  int value = setjmp(place);
  if (value == 0) {
    g(x);
    after();
  } else {
    note(value);
  }
  DONE;
}

int main(void) {
  f(5);
  note(0);
  f(0);
  DONE;
  return 0;
}
