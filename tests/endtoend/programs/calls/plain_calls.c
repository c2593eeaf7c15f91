// Calls in a row and within each other, of functions with and without results.
// expect: main( f( g ) g h( g g ) )
// golden
#include <stdio.h>

#include "keep.h"

KEEP static int g(int x) {
  DONE;
  return x + 1;
}
KEEP static int f(int x) {
  int y = g(x);
  return y * 2;
}
KEEP static void h(int x) {
  int y = g(x);
  y += g(y);
  printf("%d\n", y);
}

int main(void) {
  int x = f(1);
  x += g(x);
  h(x);
  DONE;
  return 0;
}
