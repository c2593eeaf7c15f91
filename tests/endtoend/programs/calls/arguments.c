// Arguments and results of all sizes: the words around a call leave them alone.
// expect: main( variadic variadic large_in large_out large_both real real vector )
#include <stdarg.h>
#include <stdio.h>

#include "keep.h"

struct Large {
  long numbers[20];
};
typedef int Four __attribute__((vector_size(16)));

KEEP static double variadic(int n, ...) {
  va_list rest;
  va_start(rest, n);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += va_arg(rest, double);
  va_end(rest);
  DONE;
  return sum;
}
KEEP static long large_in(struct Large x) { DONE; return x.numbers[0] + x.numbers[19]; }
KEEP static struct Large large_out(long x) {
  struct Large result;
  for (int i = 0; i < 20; ++i) result.numbers[i] = x + i;
  DONE;
  return result;
}
KEEP static struct Large large_both(struct Large x, int y) { x.numbers[y] = 5; DONE; return x; }
KEEP static double real(double a, float b, long c, double d, double e, double f, double g, double h, double i, long j) {
  DONE;
  return a + b + (double)c + d + e + f + g + h + i + (double)j;
}
KEEP static Four vector(Four a, Four b) { DONE; return a + b; }

int main(void) {
  double sum = variadic(3, 1.0, 2.5, 3.25);
  sum += variadic(0);
  struct Large large = {{1, 2, 3}};
  long whole = large_in(large);
  large = large_out(whole);
  large = large_both(large, 3);
  sum += real(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  sum += real(0.5, 0.25f, 3, 4, 5, 6, 7, 8, 9, large.numbers[3]);
  Four four = vector((Four){1, 2, 3, 4}, (Four){10, 20, 30, 40});
  printf("%g %ld %ld %d %d\n", sum, whole, large.numbers[19], four[0], four[3]);
  return 0;
}
