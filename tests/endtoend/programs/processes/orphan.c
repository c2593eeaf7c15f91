// A child that outlives its parent: the recording is complete when it ends too.
// expect: main( parent )
// expect stream: main( child( 10*late ) )
#include <stdio.h>
#include <unistd.h>

#include "keep.h"

KEEP static void late(void) { usleep(5000); DONE; }
KEEP static void child(void) {
  close(0), close(1), close(2);
  for (int i = 0; i < 10; ++i) late();
  DONE;
}
KEEP static void parent(void) { puts("parent"); DONE; }

int main(void) {
  if (fork() == 0) {
    child();
  } else {
    parent();
  }
  return 0;
}
