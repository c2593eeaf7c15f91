// Recursion along a line, and along a tree.
// expect: main( factorial^6 fib( fib( fib( fib fib ) fib ) fib( fib fib ) ) )
#include <stdio.h>

#include "keep.h"

KEEP static int factorial(int n) {
  DONE;
  if (n <= 1) return 1;
  int before = factorial(n - 1);
  DONE;
  return n * before;
}

KEEP static int fib(int n) {
  DONE;
  if (n < 2) return n;
  int a = fib(n - 1);
  DONE;
  int b = fib(n - 2);
  DONE;
  return a + b;
}

int main(void) {
  int x = factorial(6);
  x += fib(4);
  printf("%d\n", x);
  return 0;
}
