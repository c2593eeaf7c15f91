#include "shared.h"

KEEP static int helper(int x) {
  DONE;
  return x + 100;
}

int from_library(int x) {
  int result = helper(x);
  result = maximum(result, 3);
  result = ordinary(result);
  DONE;
  return result;
}

void throws(int x) {
  x = helper(x);
  throw x;
}
