// A function that never returns, ended by a signal after some time.
// expect: main!( prepare spin! )
// expect status: signal 26
#include <stddef.h>
#include <sys/time.h>

#include "keep.h"

static volatile unsigned long turns;

KEEP static void prepare(void) {
  const struct itimerval timer = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
  DONE;
}
__attribute__((noreturn)) KEEP static void spin(void) {
  for (;;) ++turns;
}

int main(void) {
  prepare();
  spin();
}
