// Children that call _exit, one after the other, and one that is killed.
// expect: main( 5*start start )
// expect 5 streams: main!( start!( child! ) )
// expect stream: main!( start!( child!( dies! ) ) )
// expect parents: 0 0 0 0 0 0
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void dies(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
KEEP static void child(int n) {
  DONE;
  if (n == 5) dies();
  _exit(n);
}
KEEP static void start(int n) {
  pid_t id = fork();
  if (id == 0) child(n);
  int status = 0;
  waitpid(id, &status, 0);
  printf("%d\n", status);
}

int main(void) {
  for (int i = 0; i < 6; ++i) {
    fflush(stdout);
    start(i);
  }
  return 0;
}
