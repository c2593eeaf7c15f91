// Ten thousand frames left at once.
// expect: main( down^10000( bottom ) )
#include <cstdio>

#include "keep.h"

KEEP static void bottom() {
  DONE;
  throw 1;
}
KEEP static int down(int left) {
  if (left == 1) {
    bottom();
    return 0;
  }
  int below = down(left - 1);
  DONE;
  return below + 1;
}

int main() {
  try {
    std::printf("%d\n", down(10000));
  } catch (int value) {
    std::printf("caught %d\n", value);
  }
  return 0;
}
