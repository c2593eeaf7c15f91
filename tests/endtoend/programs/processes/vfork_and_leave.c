// vfork, and the child leaves: the frames that it entered are not its parent's.
// expect: main( start( before child after ) )
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void before(void) { DONE; }
KEEP static void after(int status) { printf("%d\n", status); DONE; }
KEEP static void child(void) {
  DONE;
  _exit(9);
}

KEEP static void start(void) {
  before();
  pid_t id = vfork();
  if (id == 0) child();
  int status = 0;
  waitpid(id, &status, 0);
  after(WEXITSTATUS(status));
}

int main(void) {
  start();
  DONE;
  return 0;
}
