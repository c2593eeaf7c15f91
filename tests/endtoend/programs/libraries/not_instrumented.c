// no_instrument_function: the function is not recorded, what it calls is.
// expect: main( f f )
#include <stdio.h>

#include "keep.h"

KEEP static void f(void) { puts("f"); DONE; }
__attribute__((no_instrument_function)) KEEP static void hidden(void) { f(); DONE; }

int main(void) {
  hidden();
  f();
  DONE;
  return 0;
}
