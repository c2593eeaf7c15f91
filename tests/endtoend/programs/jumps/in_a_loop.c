// A thousand jumps back to the same place, from changing depths.
// expect: main( 250*( dig( dig( dig( dig ) ) ) dig( dig( dig ) ) dig( dig ) dig ) )
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;

KEEP static int dig(int depth) {
  DONE;
  if (depth == 0) longjmp(place, 1);
  int below = dig(depth - 1);
  DONE;
  return below + 1;
}

int main(void) {
  volatile int jumps = 0;
  if (setjmp(place) != 0) ++jumps;
  if (jumps < 1000) dig(3 - jumps % 4);
  printf("%d\n", jumps);
  return 0;
}
