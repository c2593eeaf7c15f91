// Handlers that interrupt handlers, three deep.
// expect: main( f )
// expect signals: first( helper helper )
// expect signals: second( helper helper )
// expect signals: third( helper )
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static volatile int count;

KEEP static void helper(void) { ++count; DONE; }
static void third(int number) { (void)number; helper(); DONE; }
static void second(int number) { (void)number; helper(); raise(SIGALRM); helper(); DONE; }
static void first(int number) { (void)number; helper(); raise(SIGUSR2); helper(); DONE; }
KEEP static void f(void) {
  raise(SIGUSR1);
  DONE;
}

int main(void) {
  signal(SIGUSR1, first);
  signal(SIGUSR2, second);
  signal(SIGALRM, third);
  f();
  printf("%d\n", count);
  return 0;
}
