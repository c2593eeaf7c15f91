// Fifty thousand frames left by one jump.
// expect: main( down^50000( bottom ) after )
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;

KEEP static void bottom(void) {
  DONE;
  longjmp(place, 9);
}
KEEP static int down(int left) {
  if (left == 1) bottom();
  int below = down(left - 1);
  DONE;
  return below + 1;
}
KEEP static void after(int value) { printf("%d\n", value); DONE; }

int main(void) {
  int value = setjmp(place);
  if (value == 0) {
    down(50000);
  } else {
    after(value);
  }
  return 0;
}
