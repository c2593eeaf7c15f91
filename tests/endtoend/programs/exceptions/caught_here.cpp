// Thrown and caught in the same function.
// expect: main( catcher( helper ) catcher( helper ) )
// golden
#include <cstdio>

#include "keep.h"

KEEP static void helper(int x) {
  std::printf("%d\n", x);
  DONE;
}

KEEP static void catcher(int x) {
  try {
    if (x > 0) throw x;
    helper(0);
  } catch (int value) {
    helper(value);
  }
  DONE;
}

int main() {
  catcher(0);
  catcher(1);
  return 0;
}
