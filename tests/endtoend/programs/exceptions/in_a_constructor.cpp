// A constructor that throws: what it had built is destroyed, itself is not.
// expect: main( build( Whole::Whole( Part::Part Part::Part Part::~Part ) ) caught )
#include <cstdio>

#include "keep.h"

struct Part {
  explicit Part(int n);
  ~Part();
  int number;
};
KEEP Part::Part(int n) : number(n) {
  std::printf("+%d\n", n);
  if (n == 2) throw n;
}
KEEP Part::~Part() { std::printf("-%d\n", number); }

struct Whole {
  Whole();
  Part first;
  Part second;
};
KEEP Whole::Whole() : first(1), second(2) { std::puts("not reached"); }

KEEP static void build() {
  Whole whole;
  DONE;
}
KEEP static void caught(int value) {
  std::printf("%d\n", value);
  DONE;
}

int main() {
  try {
    build();
  } catch (int value) {
    caught(value);
  }
  return 0;
}
