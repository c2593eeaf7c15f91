// Two functions that call each other in tail position, and never come back to each other.
// levels: -O1 -O2 -O3
// expect: main( 100000*( even odd ) even )
#include <stdio.h>

#include "keep.h"

static int odd(int n);
KEEP static int even(int n) {
  DONE;
  if (n == 0) return 1;
  return odd(n - 1);
}
KEEP static int odd(int n) {
  DONE;
  if (n == 0) return 0;
  return even(n - 1);
}

int main(void) {
  printf("%d\n", even(200000));
  return 0;
}
