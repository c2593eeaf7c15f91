// Blocks whose numbers take more than sixteen bits.
// once
// levels: -O0
// stages: source
// expect: main( 3*( many( leaf ) ) )
#include <stdio.h>

#include "keep.h"

KEEP static void leaf(int x) { printf("%d\n", x); DONE; }

#define ONE if (x == __COUNTER__) leaf(x);
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#define TEN_THOUSAND \
  THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND

KEEP static void many(int x) {
  TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND
  DONE;
}

int main(void) {
  many(0);
  many(39999);
  many(33000);
  return 0;
}
