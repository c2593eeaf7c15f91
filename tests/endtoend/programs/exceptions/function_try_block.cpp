// A constructor's own handler, a handler within a handler, and one in a destructor.
// expect: main( Careful::Careful( risky note ) note nested( risky note risky note ) leave( risky
//    Cleaner::~Cleaner( risky note ) ) note )
#include <cstdio>

#include "keep.h"

KEEP static void note(const char* text) {
  std::puts(text);
  DONE;
}
KEEP static int risky(int x) {
  DONE;
  throw x;
}

struct Careful {
  Careful();
  int value;
};
KEEP Careful::Careful() try : value(risky(1)) { note("not reached"); } catch (int) {
  note("constructor");
}

struct Cleaner {
  ~Cleaner();
};
KEEP Cleaner::~Cleaner() {
  try {
    risky(2);
  } catch (int) {
    note("destructor");
  }
}

KEEP static void nested() {
  try {
    risky(3);
  } catch (int) {
    note("first");
    try {
      risky(4);
    } catch (int) {
      note("second");
    }
  }
  DONE;
}
KEEP static void leave() {
  Cleaner cleaner;
  risky(5);
  DONE;
}

int main() {
  try {
    Careful careful;
  } catch (int) {
    note("main");
  }
  nested();
  try {
    leave();
  } catch (int) {
    note("main again");
  }
  return 0;
}
