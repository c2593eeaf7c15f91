// A thousand exceptions, one after the other, from different depths.
// expect: main( 250*( dig( dig( dig( dig ) ) ) dig( dig( dig ) ) dig( dig ) dig ) )
#include <cstdio>

#include "keep.h"

KEEP static int dig(int depth) {
  DONE;
  if (depth == 0) throw depth;
  int below = dig(depth - 1);
  DONE;
  return below + 1;
}

int main() {
  int caught = 0;
  for (int i = 0; i < 1000; ++i) {
    try {
      caught += dig(3 - i % 4);
    } catch (int value) {
      caught += 1 + value;
    }
  }
  std::printf("%d\n", caught);
  return 0;
}
