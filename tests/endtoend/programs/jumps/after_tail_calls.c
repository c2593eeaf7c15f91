// A jump from a function that was reached by tail calls.
// expect: main( top( leaf ) middle low back )
// expect -O0: main( top( leaf middle( low ) ) back )
#include <setjmp.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf place;
static volatile int one = 1;

KEEP static int leaf(int x) { DONE; return x + 1; }
KEEP static int low(int x) {
  DONE;
  if (x > 0) longjmp(place, x);
  return x * 3;
}
KEEP static int middle(int x) {
  DONE;
  return low(x + 1);
}
KEEP static int top(int x) {
  x = leaf(x);
  return middle(x);
}
KEEP static void back(int value) { printf("%d\n", value); DONE; }

int main(void) {
  int value = setjmp(place);
  if (value == 0) {
    printf("%d\n", top(one));
  } else {
    back(value);
  }
  return 0;
}
