// A program of two files: the linker keeps one copy of what both have.
// build: $CXX -I$HERE/.. -I$HERE/parts -c $HERE/parts/shared.cpp -o shared.o
// build: $CXX -I$HERE/.. -I$HERE/parts -c $SOURCE -o main.o
// build: $CXX main.o shared.o -o $PROGRAM
// expect: main( two_files.cpp:helper from_library( shared.cpp:helper "int maximum<int>" ordinary )
//    "int maximum<int>" ordinary "long maximum<long>" )
#include <cstdio>

#include "keep.h"
#include "shared.h"

KEEP static int helper(int x) {
  DONE;
  return x + 1;
}

int main() {
  int sum = helper(1);
  sum += from_library(sum);
  sum += maximum(sum, 4);
  sum += ordinary(sum);
  sum += static_cast<int>(maximum(5L, 6L));
  std::printf("%d\n", sum);
  return 0;
}
