// A handler on a stack of its own; the second time it ends the program.
// expect: main!( f )
// expect signals: handler( helper ) handler!( helper leave! )
// expect status: 3
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

static char memory[65536] __attribute__((aligned(16)));
static volatile int count;

KEEP static void helper(void) { ++count; DONE; }
KEEP static void leave(void) { _exit(3); }
static void handler(int number) {
  char here;
  helper();
  if (&here < memory || &here >= memory + sizeof memory) _exit(9);
  if (number == SIGUSR2) leave();
  DONE;
}
KEEP static void f(void) {
  raise(SIGUSR1);
  DONE;
}

int main(void) {
  stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  f();
  raise(SIGUSR2);
  return 0;
}
