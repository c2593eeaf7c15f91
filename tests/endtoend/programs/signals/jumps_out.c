// siglongjmp out of a handler: it never ends, and what it interrupted goes on from the place.
// expect: main( 3*( protect( work ) note ) after )
// expect signals: handler!( handler!( handler! ) )
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static sigjmp_buf place;

static void handler(int number) {
  DONE;
  siglongjmp(place, number);
}
KEEP static void note(int value) { printf("%d\n", value == SIGUSR1); DONE; }
KEEP static void after(void) { DONE; }
KEEP static void work(void) {
  raise(SIGUSR1);
  DONE;
}
KEEP static int protect(void) {
  int value = sigsetjmp(place, 1);
  if (value == 0) work();
  DONE;
  return value;
}

int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 3; ++i) {
    int value = protect();
    note(value);
  }
  after();
  return 0;
}
