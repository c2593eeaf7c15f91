// exit() in a handler: the frames that it interrupted stay open.
// expect: main!( f! )
// expect signals: handler!( at_exit )
// expect status: 2
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

static void at_exit(void) { puts("at exit"); DONE; }
static void handler(int number) { exit(number == SIGTERM ? 2 : 3); }
KEEP static void f(void) {
  raise(SIGTERM);
  DONE;
}

int main(void) {
  atexit(at_exit);
  signal(SIGTERM, handler);
  f();
  return 0;
}
