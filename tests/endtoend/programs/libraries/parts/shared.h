// What a program and a library, or two files of a program, both have.
#pragma once

#include "keep.h"

template <typename T>
KEEP T maximum(T a, T b) {
  DONE;
  return a > b ? a : b;
}

KEEP inline int ordinary(int x) {
  static int calls = 0;
  DONE;
  return x + ++calls;
}

int from_library(int x);
void throws(int x);
