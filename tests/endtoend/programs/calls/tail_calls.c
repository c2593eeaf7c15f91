// A call in tail position is a jump when the code is optimised: its caller's frame has ended.
// expect: main( first( leaf ) second third pick left pick right nothing empty )
// expect -O0: main( first( leaf second( third ) ) pick( left ) pick( right ) nothing( empty ) )
// golden
#include <stdio.h>

#include "keep.h"

static int count;

KEEP static int leaf(int x) { DONE; return x + 1; }
KEEP static int third(int x) { DONE; return x + 3; }
KEEP static int second(int x) { DONE; return third(x * 2); }
KEEP static int first(int x) {
  x = leaf(x);
  return second(x);
}
KEEP static int left(int x) { DONE; return x - 1; }
KEEP static int right(int x) { DONE; return x + 1; }
KEEP static int pick(int x) { return x > 10 ? left(x) : right(x); }
KEEP static void empty(void) { ++count; DONE; }
KEEP static void nothing(void) { ++count; DONE; empty(); }

int main(void) {
  int x = first(1);
  x += pick(20);
  x += pick(x - 30);
  nothing();
  printf("%d %d\n", x, count);
  return 0;
}
