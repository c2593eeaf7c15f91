// A fork below a thousand frames, all of which the child leaves too.
// expect: main( down^1000( bottom ) after )
// expect stream: main( down^1000( bottom ) after )
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static int bottom(void) {
  pid_t child = fork();
  if (child != 0) wait(NULL);
  return child == 0;
}
KEEP static int down(int left) {
  int result = left == 1 ? bottom() : down(left - 1);
  DONE;
  return result;
}
KEEP static void after(void) { DONE; }

int main(void) {
  int is_child = down(1000);
  after();
  return is_child;
}
