// Loops with a break, a continue and loops within, with and without calls in them.
// expect: main( step step step step quiet 6*step quiet )
// golden
#include <stdio.h>

#include "keep.h"

static volatile int limit = 3;

KEEP static int step(int x) {
  DONE;
  return x + 1;
}

KEEP static int quiet(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) continue;
    if (i == 8) break;
    sum += limit;
  }
  return sum;
}

int main(void) {
  int sum = 0;
  int i = 0;
  do {
    sum = step(sum);
  } while (i++ < limit);
  sum += quiet(10);
  for (i = 0; i < limit; ++i) {
    for (int j = 0; j < i + 1; ++j) {
      sum = step(sum);
    }
  }
  sum += quiet(0);
  printf("%d\n", sum);
  return 0;
}
