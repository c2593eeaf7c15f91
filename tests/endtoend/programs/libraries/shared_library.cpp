// A shared library and a program with static functions of the same name, a template and an inline
// function that both have, and an exception from one to the other.
// flags: -I$HERE/.. -I$HERE/parts
// build: $CXX $FLAGS -fPIC -shared -Wl,-z,defs $HERE/parts/shared.cpp -o libshared.so
// build: $CXX $FLAGS $SOURCE -o $PROGRAM -L. -lshared -Wl,-rpath,'$ORIGIN'
// expect: main( shared_library.cpp:helper
//    from_library( shared.cpp:helper "int maximum<int>" ordinary ) "int maximum<int>" ordinary
//    throws( shared.cpp:helper ) caught )
#include <cstdio>

#include "keep.h"
#include "shared.h"

KEEP static int helper(int x) {
  DONE;
  return x + 1;
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}

int main() {
  int sum = helper(1);
  sum += from_library(sum);
  sum += maximum(sum, 4);
  sum += ordinary(sum);
  try {
    throws(sum);
  } catch (int value) {
    caught(value);
  }
  std::printf("%d\n", sum);
  return 0;
}
