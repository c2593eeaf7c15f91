// A program without shared libraries.
// flags: -static
// expect: main( f( g ) )
// expect stream: main( f( child ) )
// expect signals: handler
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void g(void) { puts("g"); fflush(stdout); DONE; }
KEEP static void child(void) { DONE; }
static void handler(int number) { (void)number; DONE; }
KEEP static void f(void) {
  g();
  if (fork() == 0) {
    child();
  } else {
    wait(NULL);
  }
  DONE;
}

int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  f();
  DONE;
  return 0;
}
