// Through a recorded frame of C, compiled without exceptions: it has no landing pads.
// build: $CC -funwind-tables -c -I$HERE/.. $HERE/parts/c_frame.c -o c_frame.o
// build: $CXX -I$HERE/.. -c $SOURCE -o main.o
// build: $CXX main.o c_frame.o -o $PROGRAM
// expect: main( c_outer( c_frame( callback ) ) caught c_outer( c_frame( callback ) ) )
#include <cstdio>

#include "keep.h"

extern "C" int c_outer(int (*function)(int), int argument);

static int callback(int x) {
  if (x > 0) throw x;
  DONE;
  return x;
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}

int main() {
  try {
    c_outer(callback, 3);
  } catch (int value) {
    caught(value);
  }
  std::printf("%d\n", c_outer(callback, 0));
  return 0;
}
