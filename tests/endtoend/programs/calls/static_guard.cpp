// A static object whose first construction throws is constructed again.
// expect: main( get( Picky::Picky ) note get( Picky::Picky ) get )
#include <cstdio>

#include "keep.h"

static int attempts;
struct Picky {
  Picky();
  int value;
};
KEEP Picky::Picky() : value(++attempts) {
  if (value == 1) throw value;
}
KEEP static int get() {
  static Picky picky;
  DONE;
  return picky.value;
}
KEEP static void note() {
  std::puts("failed");
  DONE;
}

int main() {
  try {
    get();
  } catch (int) {
    note();
  }
  int sum = get();
  sum += get();
  std::printf("%d\n", sum);
  return 0;
}
