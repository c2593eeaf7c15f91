// A function that never returns, ended by a signal from outside of it.
// expect: main!( prepare spin! )
// expect status: signal 14
#include <unistd.h>

#include "keep.h"

static volatile unsigned long turns;

KEEP static void prepare(void) {
  ualarm(20000, 0);
  DONE;
}
__attribute__((noreturn)) KEEP static void spin(void) {
  for (;;) ++turns;
}

int main(void) {
  prepare();
  spin();
}
