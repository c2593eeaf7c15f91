// A child begins inside the frames of its parent, and leaves them.
// expect: main( f( g( before in_parent ) ) after )
// expect stream: main( f( g( in_child ) ) after )
// expect parents: 0
// golden
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void before(void) { DONE; }
KEEP static void in_parent(int child) {
  int status = 0;
  waitpid(child, &status, 0);
  printf("child ended with %d\n", WEXITSTATUS(status));
  DONE;
}
KEEP static void in_child(void) { DONE; }
KEEP static int g(void) {
  before();
  pid_t child = fork();
  if (child == 0) {
    in_child();
  } else {
    in_parent(child);
  }
  DONE;
  return child == 0;
}
KEEP static int f(void) {
  int is_child = g();
  DONE;
  return is_child;
}
KEEP static void after(void) { DONE; }

int main(void) {
  int is_child = f();
  after();
  return is_child ? 7 : 0;
}
