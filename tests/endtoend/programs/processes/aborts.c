// abort(): everything is open, and nothing of it is lost.
// expect: main!( 1000*f g!( f ) )
// expect status: signal 6
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

KEEP static void f(void) { DONE; }
KEEP static void g(void) {
  f();
  abort();
}

int main(void) {
  for (int i = 0; i < 1000; ++i) f();
  g();
  return 0;
}
