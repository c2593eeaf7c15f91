// Notes that the program leaves, among its events.
// flags: -I$INCLUDE
// expect: main( f f )
// expect note: ^here we are$
// expect note: ^and the end: ä$
#include <pathspool/record.h>
#include <stdio.h>

#include "keep.h"

KEEP static void f(void) { puts("f"); DONE; }

int main(void) {
  f();
  pathspool_mark("here we are");
  f();
  pathspool_mark("and the end: ä");
  return 0;
}
