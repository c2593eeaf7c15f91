// What C++14 still let functions say about what they throw.
// flags: -std=gnu++14 -Wno-deprecated
// expect: main!( allows( thrower ) caught forbids!( thrower unexpected! ) )
// expect status: 4
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "keep.h"

KEEP static void thrower(int x) {
  DONE;
  if (x == 1) throw x;
  throw 2.5;
}
KEEP static void allows(int x) throw(int) {
  thrower(x);
  DONE;
}
KEEP static void forbids(int x) throw(int) {
  thrower(x);
  DONE;
}
KEEP static void caught() {
  std::puts("caught");
  DONE;
}
KEEP static void unexpected() {
  std::puts("unexpected");
  std::exit(4);
}

int main() {
  std::set_unexpected(unexpected);
  try {
    allows(1);
  } catch (int) {
    caught();
  }
  forbids(2);
  return 0;
}
