// Frames with handlers that do not fit are passed by.
// expect: main( outer( middle( inner( thrower ) ) note ) )
#include <cstdio>

#include "keep.h"

struct Base {};
struct Derived : Base {};

KEEP static void note(const char* text) {
  std::puts(text);
  DONE;
}
KEEP static void thrower() {
  DONE;
  throw Derived{};
}
KEEP static void inner() {
  try {
    thrower();
  } catch (int) {
    note("wrong");
  } catch (const char*) {
    note("wrong");
  }
  DONE;
}
KEEP static void middle() {
  try {
    inner();
  } catch (double) {
    note("wrong");
  }
  DONE;
}
KEEP static void outer() {
  try {
    middle();
  } catch (const Base&) {
    note("right");
  }
  DONE;
}

int main() {
  outer();
  return 0;
}
