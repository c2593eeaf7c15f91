// A jump out of assembler.
// expect: main( 3*( decide leaf ) decide )
#include <stdio.h>

#include "keep.h"

static volatile int count;

KEEP static void leaf(void) { ++count; DONE; }
KEEP static int decide(int x) {
#if defined(__aarch64__)
  __asm__ goto("cbnz %w0, %l1" : : "r"(x) : : nonzero);
#else
  __asm__ goto("test %0, %0\n\tjnz %l1" : : "r"(x) : "cc" : nonzero);
#endif
  return 0;
nonzero:
  return 1;
}

int main(void) {
  for (int i = 3; decide(i); --i) leaf();
  printf("%d\n", count);
  return 0;
}
