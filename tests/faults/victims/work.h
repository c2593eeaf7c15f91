/* Calls of several shapes, all counted: loops, branches, recursion, a call through a pointer and a
 * call at the end of a function, which may become a jump. */
#pragma once

#include "counting.h"

enum { kOuter, kInner, kLeaf, kDescend, kForward, kWorkFunctions };
static const char* const kWorkNames[] = {"outer", "inner", "leaf", "descend", "forward"};

#define NOINLINE __attribute__((noinline))

NOINLINE static uint32_t leaf(uint32_t x) {
  STARTED(kLeaf);
  if (x & 1) {
    x = x * 3 + 1;
  } else if (x & 2) {
    x = (x >> 1) ^ 0x9e3779b9U;
  } else {
    x += 7;
  }
  ENDED(kLeaf);
  return x;
}

/* Ends before the leaf starts: its exit comes first, be the call a jump or not. */
NOINLINE static uint32_t forward(uint32_t x) {
  STARTED(kForward);
  ENDED(kForward);
  return leaf(x ^ 5);
}

NOINLINE static uint32_t descend(uint32_t depth, uint32_t x) {
  STARTED(kDescend);
  if (depth > 0) x = descend(depth - 1, x + depth) ^ depth;
  ENDED(kDescend);
  return x;
}

NOINLINE static uint32_t inner(uint32_t x) {
  STARTED(kInner);
  static uint32_t (*const volatile called[2])(uint32_t) = {leaf, forward};
  for (uint32_t i = 0; i < (x & 7); ++i) x += called[i & 1](x + i);
  ENDED(kInner);
  return x;
}

NOINLINE static uint32_t outer(uint32_t x) {
  STARTED(kOuter);
  for (int i = 0; i < 3; ++i) {
    x ^= inner(x);
    if (x % 16 == 0) x += descend(x % 11, x);
  }
  ENDED(kOuter);
  return x;
}

__attribute__((unused)) static uint32_t work(uint64_t calls, uint32_t seed) {
  uint32_t x = seed * 2654435761U + 1;
  for (uint64_t i = 0; calls == 0 || i < calls; ++i) x = outer(x + (uint32_t)i);
  return x;
}
