// A million frames again, in C++ and on the main thread's stack, which is made larger first.
// expect: main( down^1000000( bottom ) )
// stages: optimized
// levels: -O0 -O2
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "keep.h"

KEEP static int bottom() {
  DONE;
  return 1;
}

KEEP static int down(int left) {
  int below = left == 1 ? bottom() : down(left - 1);
  DONE;
  return below + 1;
}

int main() {
  // The limit of the main thread's stack is looked at when it grows.
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_STACK, &limit);
  std::printf("%d\n", down(1000000));
  return 0;
}
