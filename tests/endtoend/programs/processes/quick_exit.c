// quick_exit, whose handlers are others.
// expect: main!( f!( at_quick_exit_handler ) )
// expect status: 6
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

static void at_quick_exit_handler(void) { puts("quick"); fflush(stdout); DONE; }
KEEP static void f(void) { quick_exit(6); }

int main(void) {
  at_quick_exit(at_quick_exit_handler);
  f();
  return 0;
}
