// Lambdas, called directly and through a pointer: as they are in the source.
// stages: source
// levels: -O0
// expect: main( "main::$_0::operator()" "main::$_1::operator int (*)(int)"
//    apply( main::$_1::__invoke( "main::$_1::operator()" ) ) )
#include <cstdio>

#include "keep.h"

KEEP static int apply(int (*function)(int)) {
  int result = function(2);
  DONE;
  return result;
}

int main() {
  int base = 5;
  const auto add = [&base](int x) { return base + x; };
  int sum = add(1);
  sum += apply([](int x) {
    int result = x * x;
    DONE;
    return result;
  });
  std::printf("%d\n", sum);
  return 0;
}
