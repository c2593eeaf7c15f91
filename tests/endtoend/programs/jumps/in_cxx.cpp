// In C++: a jump over frames that have nothing to destroy, to one that has landing pads too.
// expect: main( protect( work( leave ) back ) protect( work( thrower ) back ) protect( work ) )
#include <csetjmp>
#include <cstdio>

#include "keep.h"

static std::jmp_buf place;

KEEP static void leave() {
  DONE;
  std::longjmp(place, 1);
}
KEEP static void thrower() {
  DONE;
  throw 2;
}
KEEP static void work(int x) {
  if (x == 1) leave();
  if (x == 2) thrower();
  std::puts("work");
}
KEEP static void back(const char* text) {
  std::puts(text);
  DONE;
}
KEEP static void protect(int x) {
  if (setjmp(place) != 0) {
    back("jumped");
    return;
  }
  try {
    work(x);
  } catch (int) {
    back("caught");
  }
}

int main() {
  protect(1);
  protect(2);
  protect(3);
  return 0;
}
