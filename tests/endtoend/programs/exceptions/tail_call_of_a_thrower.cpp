// A call in tail position that throws: its caller's frame had ended before.
// expect: main( top( leaf ) low thrower caught )
// expect -O0: main( top( leaf low( thrower ) ) caught )
#include <cstdio>

#include "keep.h"

static volatile int one = 1;

KEEP static int leaf(int x) {
  DONE;
  return x;
}
KEEP static int thrower(int x) {
  DONE;
  if (x > 0) throw x;
  return x;
}
KEEP static int low(int x) {
  DONE;
  return thrower(x + 1);
}
KEEP static int top(int x) {
  x = leaf(x);
  return low(x);
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}

int main() {
  try {
    top(one);
  } catch (int value) {
    caught(value);
  }
  return 0;
}
