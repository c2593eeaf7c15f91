// A fork in a handler: the child has the handler's frames.
// expect: main( f )
// expect signals: handler( in_parent )
// expect signals: handler!( in_child! )
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

static volatile int status;

KEEP static void in_parent(void) {
  int value = 0;
  wait(&value);
  status = WEXITSTATUS(value);
}
KEEP static void in_child(void) {
  DONE;
  _exit(8);
}
static void handler(int number) {
  (void)number;
  if (fork() == 0) in_child();
  in_parent();
  DONE;
}
KEEP static void f(void) {
  raise(SIGUSR1);
  DONE;
}

int main(void) {
  signal(SIGUSR1, handler);
  f();
  printf("%d\n", status);
  return 0;
}
