// Signals in the middle of calls and loops, as often as the system sends them: what they interrupt
// is recorded as if there were none, block by block.
// expect: main( prepare 100*( work( 500*( outer( inner inner ) ) ) ) report )
// expect any signals: handler( helper )
// run: 50
// twin: 0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "keep.h"

static volatile unsigned long ticks;
static volatile int sum;

KEEP static void helper(void) { ++ticks; DONE; }
static void handler(int number) {
  (void)number;
  helper();
  DONE;
}
KEEP static int inner(int x) {
  if (x % 3 == 0) sum += 1;
  if (x % 5 == 0) sum += 2;
  DONE;
  return x;
}
KEEP static void outer(int x) {
  for (int i = 0; i < x % 7; ++i) sum += i;
  inner(x);
  inner(x + 1);
  DONE;
}
KEEP static void work(int n) {
  for (int i = 0; i < n; ++i) outer(i);
}
KEEP static void prepare(int microseconds) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, NULL);
}
KEEP static void report(int microseconds) {
  struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, NULL);
  printf("%d %d\n", sum, (ticks > 0) == (microseconds > 0));
}

int main(int count, char **arguments) {
  (void)count;
  int microseconds = atoi(arguments[1]);
  prepare(microseconds);
  for (int i = 0; i < 100; ++i) work(500);
  report(microseconds);
  DONE;
  return 0;
}
