// A switch with cases that fall through, a dense one and a sparse one.
// expect: main( pick pick one pick one two pick two pick far pick )
// golden
#include <stdio.h>

#include "keep.h"

static int done;

KEEP static void one(void) { ++done; DONE; }
KEEP static void two(void) { done += 2; DONE; }
KEEP static void far(void) { done += 100; DONE; }

KEEP static int pick(int i) {
  static volatile const int order[] = {9, 1, 0, 2, 1000000, -5};
  return order[i];
}

int main(void) {
  for (int i = 0; i < 6; ++i) {
    switch (pick(i)) {
      case 1:
        one();
        break;
      case 0:
        one();
        // fall through
      case 2:
        two();
        break;
      case 1000000:
        far();
        break;
      default:
        ++done;
    }
  }
  printf("%d\n", done);
  return 0;
}
