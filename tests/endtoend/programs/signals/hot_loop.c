// A loop without calls, interrupted thousands of times: its cursor is in a register all the while.
// levels: -O0 -O2
// versions: newest
// expect outline: main
// expect any signals: handler
// run: 20
// twin: 0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "keep.h"

static volatile unsigned long ticks;

static void handler(int number) {
  (void)number;
  ++ticks;
  DONE;
}
KEEP static unsigned collatz(unsigned limit) {
  unsigned longest = 0;
  for (unsigned start = 1; start < limit; ++start) {
    unsigned length = 0;
    for (unsigned long n = start; n != 1; ++length) {
      if (n % 2 == 0) {
        n /= 2;
      } else {
        n = 3 * n + 1;
      }
    }
    if (length > longest) longest = length;
  }
  return longest;
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
  unsigned longest = collatz(10000);
  timer.it_value.tv_usec = timer.it_interval.tv_usec = 0;
  setitimer(ITIMER_REAL, &timer, NULL);
  printf("%u\n", longest);
  return 0;
}
