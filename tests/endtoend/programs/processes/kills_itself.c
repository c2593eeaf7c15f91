// SIGKILL leaves a program no time for anything.
// expect: main!( 100000*f last!( f ) )
// expect status: signal 9
#include <signal.h>
#include <unistd.h>

#include "keep.h"

KEEP static void f(void) { DONE; }
KEEP static void last(void) {
  f();
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

int main(void) {
  for (int i = 0; i < 100000; ++i) f();
  last();
  return 0;
}
