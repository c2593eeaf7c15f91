// Thrown three frames further up: they all end before the handler goes on.
// expect: main( top( middle( low( thrower ) ) handle ) top( middle( low( thrower after ) after )
//    after ) )
// golden
#include <cstdio>

#include "keep.h"

KEEP static void thrower(bool really) {
  if (really) throw 7;
  DONE;
}
KEEP static void after() {
  std::puts("after");
  DONE;
}
KEEP static void low(bool really) {
  thrower(really);
  after();
  DONE;
}
KEEP static void middle(bool really) {
  low(really);
  after();
  DONE;
}
KEEP static void handle(int value) {
  std::printf("%d\n", value);
  DONE;
}
KEEP static void top(bool really) {
  try {
    middle(really);
    after();
  } catch (int value) {
    handle(value);
  }
  DONE;
}

int main() {
  top(true);
  top(false);
  return 0;
}
