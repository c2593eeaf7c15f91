// vfork: the child runs in its parent's frames for a moment, then becomes another program.
// expect: main( start( before after ) )
// expect stream: main( child )
// run: parent
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void before(void) { DONE; }
KEEP static void after(int status) { printf("%d\n", status); DONE; }
KEEP static int child(void) { puts("child"); DONE; return 3; }

KEEP static void start(char *program) {
  before();
  pid_t id = vfork();
  if (id == 0) {
    execl(program, program, "child", (char *)NULL);
    _exit(127);
  }
  int status = 0;
  waitpid(id, &status, 0);
  after(WEXITSTATUS(status));
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "child") == 0) {
    int result = child();
    DONE;
    return result;
  }
  start(arguments[0]);
  return 0;
}
