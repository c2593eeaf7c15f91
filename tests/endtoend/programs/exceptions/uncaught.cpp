// Nobody catches it: nothing is unwound, and all frames are open at the end.
// expect: main!( f!( thrower! ) )
// expect status: signal 6
#include "keep.h"

KEEP static void thrower() {
  DONE;
  throw 1;
}
KEEP static void f() {
  thrower();
  DONE;
}

int main() {
  f();
  return 0;
}
