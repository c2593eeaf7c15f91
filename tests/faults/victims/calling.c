/* calling N: little but N calls of a small function. For the speed of a program that is not
 * recorded. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  if (x & 1) x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

int main(int argc, char** argv) {
  const unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  unsigned x = 1;
  for (unsigned i = 0; i < calls; ++i) x = mix(x + i);
  printf("%u\n", x);
  return 0;
}
