// Functions that the C library calls.
// expect: main( compare compare_key ) at_exit_second at_exit_first
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

KEEP static int compare(const void *a, const void *b) { DONE; return *(const int *)a - *(const int *)b; }
KEEP static int compare_key(const void *a, const void *b) { DONE; return *(const int *)a - *(const int *)b; }
static void at_exit_first(void) { puts("first"); DONE; }
static void at_exit_second(void) { puts("second"); DONE; }

int main(void) {
  int numbers[] = {2, 1};
  atexit(at_exit_first);
  atexit(at_exit_second);
  qsort(numbers, 2, sizeof numbers[0], compare);
  int key = 1;
  const int *found = bsearch(&key, numbers, 1, sizeof numbers[0], compare_key);
  printf("%d %d\n", numbers[0], found == numbers);
  return 0;
}
