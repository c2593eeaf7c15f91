// A recording that begins when the program says so.
// flags: -I$INCLUDE
// record: --start-paused
// expect: seen( leaf ) seen( leaf )
// expect note: ^paused$
#include <pathspool/record.h>
#include <stdio.h>

#include "keep.h"

KEEP static void leaf(void) { DONE; }
KEEP static void unseen(void) { leaf(); puts("unseen"); DONE; }
KEEP static void seen(void) { leaf(); puts("seen"); DONE; }
KEEP static void begin(void) { unseen(); pathspool_start(); seen(); seen(); pathspool_stop(); DONE; }

int main(void) {
  unseen();
  begin();
  unseen();
  DONE;
  return 0;
}
