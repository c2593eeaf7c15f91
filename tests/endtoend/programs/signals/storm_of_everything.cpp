// Signals while exceptions are thrown, jumps are made and functions recurse.
// expect: main( 100*( thrower^4 jumper^4 deep^20 ) )
// expect any signals: handler( helper )
// run: 50
// twin: 0
#include <sys/time.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "keep.h"

static volatile int ticks;
static std::jmp_buf place;

KEEP static void helper() {
  ticks = ticks + 1;
  DONE;
}
static void handler(int) {
  helper();
  DONE;
}
KEEP static void thrower(int n) {
  DONE;
  if (n == 1) throw n;
  thrower(n - 1);
  DONE;
}
KEEP static void jumper(int n) {
  DONE;
  if (n == 1) std::longjmp(place, 1);
  jumper(n - 1);
  DONE;
}
KEEP static int deep(int n) {
  int result = n == 1 ? 1 : deep(n - 1);
  DONE;
  return result + 1;
}

int main(int, char** arguments) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval timer = {{0, std::atoi(arguments[1])}, {0, std::atoi(arguments[1])}};
  setitimer(ITIMER_REAL, &timer, nullptr);
  volatile int sum = 0;
  for (volatile int i = 0; i < 100; i = i + 1) {
    try {
      thrower(4);
    } catch (int value) {
      sum = sum + value;
    }
    if (setjmp(place) == 0) jumper(4);
    sum = sum + deep(20);
  }
  const itimerval none{};
  setitimer(ITIMER_REAL, &none, nullptr);
  std::printf("%d\n", sum);
  return 0;
}
