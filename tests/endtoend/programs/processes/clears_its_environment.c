// A child that is started without an environment cannot be recorded; the rest is.
// expect: main( start )
// expect stream: main!( start! )
// run: parent
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void child(void) { puts("child"); DONE; }
KEEP static void start(char *program) {
  if (fork() == 0) {
    char *arguments[] = {program, "child", NULL};
    char *nothing[] = {NULL};
    execve(program, arguments, nothing);
    _exit(127);
  }
  int status = 0;
  wait(&status);
  printf("%d\n", status);
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "child") == 0) {
    child();
  } else {
    start(arguments[0]);
  }
  DONE;
  return 0;
}
