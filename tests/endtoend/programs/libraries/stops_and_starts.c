// The program chooses what of it is recorded: a new stream begins with each start.
// flags: -I$INCLUDE
// expect: main!( before )
// expect stream: after( leaf ) after( leaf )
// expect note: ^paused$
#include <pathspool/record.h>
#include <stdio.h>

#include "keep.h"

KEEP static void leaf(void) { DONE; }
KEEP static void before(void) { puts("before"); DONE; }
KEEP static void unseen(void) { leaf(); puts("unseen"); DONE; }
KEEP static void after(void) { leaf(); puts("after"); DONE; }

int main(void) {
  before();
  pathspool_stop();
  unseen();
  pathspool_start();
  after();
  after();
  return 0;
}
