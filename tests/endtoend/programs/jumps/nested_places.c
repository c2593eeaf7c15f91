// Places to jump to in several open frames of one function, and in their caller.
// expect: main( level( level( level( jump ) back ) ) level( level( level( jump ) ) back )
//    level( level( level( jump ) ) ) back )
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf places[4];

KEEP static void back(int n) { printf("back in %d\n", n); DONE; }
__attribute__((noreturn)) KEEP static void jump(int to) {
  DONE;
  longjmp(places[to], 1);
}
KEEP static void level(int n, int to) {
  if (setjmp(places[n]) != 0) {
    back(n);
  } else if (n == 2) {
    jump(to);
  } else {
    level(n + 1, to);
  }
  DONE;
}

int main(void) {
  level(0, 1);
  level(0, 0);
  if (setjmp(places[3]) != 0) {
    back(3);
  } else {
    level(0, 3);
  }
  return 0;
}
