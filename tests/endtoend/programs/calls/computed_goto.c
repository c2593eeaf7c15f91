// An interpreter with a computed goto for each instruction.
// expect: main( run( add add twice add ) run( twice ) )
// golden
#include <stdio.h>

#include "keep.h"

KEEP static int add(int x) { DONE; return x + 1; }
KEEP static int twice(int x) { DONE; return x * 2; }

KEEP static int run(const char *code) {
  static const void *const labels[] = {&&stop, &&add_one, &&double_it, &&nothing};
  int x = 0;
  goto *labels[(int)*code++];
add_one:
  x = add(x);
  goto *labels[(int)*code++];
double_it:
  x = twice(x);
  goto *labels[(int)*code++];
nothing:
  goto *labels[(int)*code++];
stop:
  return x;
}

int main(void) {
  volatile char first[] = {1, 1, 3, 2, 1, 0};
  volatile char second[] = {2, 0};
  int x = run((const char *)first);
  x += run((const char *)second);
  printf("%d\n", x);
  return 0;
}
