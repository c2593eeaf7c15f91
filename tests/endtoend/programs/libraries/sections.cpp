// The same with the second file in a static library, in sections that the linker throws away when
// nothing uses them.
// flags: -I$HERE/.. -I$HERE/parts -ffunction-sections -fdata-sections
// build: $CXX $FLAGS -c $HERE/parts/shared.cpp -o shared.o
// build: $CXX $FLAGS -c $SOURCE -o main.o
// build: ar rc libshared.a shared.o
// build: $CXX -Wl,--gc-sections main.o -L. -lshared -o $PROGRAM
// expect: main( sections.cpp:helper from_library( shared.cpp:helper "int maximum<int>" ordinary )
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
