// setjmp in a small static function that is called once: what an optimiser likes to inline.
// expect: main( protect( work( leave ) ) protect( work ) )
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;

KEEP static void leave(void) {
  DONE;
  longjmp(place, 1);
}
KEEP static int work(int x) {
  if (x > 0) leave();
  DONE;
  return x;
}
// No KEEP. LLVM leaves functions that call setjmp alone.
static int protect(int x) {
  volatile int result = 0;
  if (setjmp(place) == 0) {
    result = work(x);
  } else {
    result = -1;
  }
  return result;
}

int main(void) {
  int sum = protect(1);
  sum += protect(0);
  printf("%d\n", sum);
  return 0;
}
