// Functions left out when recording, which throw, are jumped over, and call back.
// record: -N 'hidden*'
// expect: main( f( g ) caught f( g ) caught )
#include <csetjmp>
#include <cstdio>

#include "keep.h"

static std::jmp_buf place;

KEEP static void hidden_thrower(int x) {
  DONE;
  if (x == 1) throw x;
  std::longjmp(place, x);
}
KEEP static void g(int x) {
  hidden_thrower(x);
  DONE;
}
KEEP static void hidden(int x) {
  g(x);
  DONE;
}
KEEP static void f(int x) {
  hidden(x);
  DONE;
}
KEEP static void caught(int value) {
  std::printf("%d\n", value);
  DONE;
}

int main() {
  try {
    f(1);
  } catch (int value) {
    caught(value);
  }
  int value = setjmp(place);
  if (value == 0) {
    f(2);
  } else {
    caught(value);
  }
  return 0;
}
