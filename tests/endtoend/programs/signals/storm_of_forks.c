// Signals while processes fork and threads start.
// flags: -pthread
// expect: main( 20*( start launch ) )
// expect 20 streams: main!( start!( child! ) )
// expect 20 streams: worker( 10*f )
// expect any signals: handler
// run: 300
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

static void handler(int number) { (void)number; DONE; }
KEEP static void f(void) { DONE; }
KEEP static void child(void) {
  DONE;
  _exit(3);
}
KEEP static void start(void) {
  pid_t id = fork();
  if (id == 0) child();
  int status = 0;
  while (waitpid(id, &status, 0) < 0) continue;
  if (WEXITSTATUS(status) != 3) puts("wrong");
}
static void *worker(void *argument) {
  for (int i = 0; i < 10; ++i) f();
  DONE;
  return argument;
}
KEEP static void launch(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  DONE;
}

int main(int count, char **arguments) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  int microseconds = count > 1 ? atoi(arguments[1]) : 0;
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, NULL);
  for (int i = 0; i < 20; ++i) {
    start();
    launch();
  }
  return 0;
}
