// Functions that are inlined are recorded as they are in the source; at the stage `optimized` they
// are part of whoever they were inlined into.
// expect: main( forced( plain ) plain 3*( plain forced( plain ) ) )
// expect optimized: main( plain plain 3*( plain plain ) )
// expect -O1+ optimized: main
#include <cstdio>

#include "keep.h"

static int count;

inline void plain() {
  ++count;
  DONE;
}
__attribute__((always_inline)) inline void forced() {
  plain();
  DONE;
}

int main() {
  forced();
  plain();
  for (int i = 0; i < 3; ++i) {
    plain();
    forced();
  }
  std::printf("%d\n", count);
  return 0;
}
