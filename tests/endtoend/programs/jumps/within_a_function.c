// setjmp and longjmp in one function.
// expect: main( again( note note note ) )
// golden
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;

KEEP static void note(int x) { printf("%d\n", x); DONE; }

KEEP static void again(void) {
  volatile int count = 0;
  int value = setjmp(place);
  note(value);
  if (++count < 3) longjmp(place, count);
  DONE;
}

int main(void) {
  again();
  DONE;
  return 0;
}
