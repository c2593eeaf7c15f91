// A jump out of a comparison, over the frames of qsort.
// expect: main( sort( compare ) after sort( compare ) )
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

static jmp_buf place;
static int jumps = 1;

KEEP static int compare(const void *a, const void *b) {
  if (jumps-- > 0) longjmp(place, 1);
  DONE;
  return *(const int *)a - *(const int *)b;
}
KEEP static void sort(void) {
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof numbers[0], compare);
  printf("%d\n", numbers[0]);
  DONE;
}
KEEP static void after(void) { puts("after"); DONE; }

int main(void) {
  if (setjmp(place) != 0) after();
  sort();
  return 0;
}
