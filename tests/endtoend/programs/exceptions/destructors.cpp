// The destructors that run while frames are left.
// expect: main( f( Guard::Guard g( Guard::Guard Guard::Guard h( Guard::Guard Guard::~Guard )
//    Guard::~Guard Guard::~Guard ) Guard::~Guard ) g( Guard::Guard Guard::Guard h( Guard::Guard
//    Guard::~Guard ) Guard::~Guard Guard::~Guard ) )
// golden
#include <cstdio>

#include "keep.h"

struct Guard {
  explicit Guard(int n);
  ~Guard();
  int number;
};
KEEP Guard::Guard(int n) : number(n) { std::printf("+%d\n", number); }
KEEP Guard::~Guard() { std::printf("-%d\n", number); }

KEEP static void h(bool really) {
  Guard guard(4);
  if (really) throw 1;
  DONE;
}
KEEP static void g(bool really) {
  Guard first(2);
  Guard second(3);
  h(really);
  DONE;
}
KEEP static void f() {
  Guard guard(1);
  g(true);
  DONE;
}

int main() {
  try {
    f();
  } catch (int value) {
    std::printf("%d\n", value);
  }
  g(false);
  return 0;
}
