// sigaction with and without SA_SIGINFO, what it returns, and a handler that is taken back.
// expect: main( install install install )
// expect signals: plain informed plain
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

static volatile int count;
static volatile int sender_is_right;

static void plain(int number) { count += number == SIGUSR1; DONE; }
static void informed(int number, siginfo_t *information, void *context) {
  count += 10 * (number == SIGUSR1);
  sender_is_right = information->si_pid == getpid() && context != NULL;
  DONE;
}
KEEP static void install(int which) {
  struct sigaction action;
  struct sigaction old;
  memset(&action, 0, sizeof action);
  if (which == 1) {
    action.sa_sigaction = informed;
    action.sa_flags = SA_SIGINFO;
  } else {
    action.sa_handler = plain;
  }
  sigaction(SIGUSR1, &action, &old);
  printf("%d %d %d\n", old.sa_handler == plain, old.sa_sigaction == informed,
         (old.sa_flags & SA_SIGINFO) != 0);
  kill(getpid(), SIGUSR1);
}

int main(void) {
  install(0);
  install(1);
  install(2);
  signal(SIGUSR1, SIG_IGN);
  raise(SIGUSR1);
  printf("%d %d\n", count, sender_is_right);
  return 0;
}
