// Caught, rethrown, caught again, and another thrown in its place.
// expect: main( outer( middle( inner( thrower ) note ) note ) other( inner( thrower ) note ) note )
#include <cstdio>

#include "keep.h"

KEEP static void note(const char* text) {
  std::puts(text);
  DONE;
}
KEEP static void thrower() {
  DONE;
  throw 1;
}
KEEP static void inner() {
  thrower();
  DONE;
}
KEEP static void middle() {
  try {
    inner();
  } catch (int) {
    note("middle");
    throw;
  }
}
KEEP static void outer() {
  try {
    middle();
  } catch (...) {
    note("outer");
  }
  DONE;
}
KEEP static void other() {
  try {
    inner();
  } catch (int) {
    note("replaced");
    throw 2.5;
  }
}

int main() {
  outer();
  try {
    other();
  } catch (double) {
    note("main");
  }
  return 0;
}
