// Ten million calls in tail position: no stack has room for their frames.
// levels: -O2
// versions: newest
// expect events: 50000007
// expect source events: 50000008
// expect deepest: 1
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
  printf("%d\n", even(10000000));
  return 0;
}
