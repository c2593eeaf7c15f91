// Functions that promise to leave memory alone: each call of them is recorded.
// expect: main( 5*( square sum ) square square )
#include <stdio.h>

#include "keep.h"

__attribute__((const, noinline)) static int square(int x) { return x * x; }
__attribute__((pure, noinline)) static int sum(const int *numbers, int n) {
  int result = 0;
  for (int i = 0; i < n; ++i) result += numbers[i];
  return result;
}

int main(void) {
  int numbers[5] = {0};
  int total = 1;
  for (int i = 0; i < 5; ++i) {
    numbers[i] = square(i + total);
    total += sum(numbers, i + 1);
  }
  if (square(total) > 10) total += square(total + 1);
  printf("%d\n", total);
  return 0;
}
