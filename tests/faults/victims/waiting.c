/* waiting COUNTERS default|ignore|handle SECONDS: counts calls until a signal comes. `ignore`
 * ignores SIGINT, and ends after SECONDS with status 5; `handle` ends at SIGINT or SIGTERM, when
 * its handler has run, with status 6. */
#include <signal.h>
#include <time.h>

#include "work.h"

static volatile sig_atomic_t caught;

static void handler(int number) { caught = number; }

int main(int argc, char** argv) {
  if (argc != 4) return 98;
  if (strcmp(argv[2], "ignore") == 0) signal(SIGINT, SIG_IGN);
  if (strcmp(argv[2], "handle") == 0) {
    signal(SIGINT, handler);
    signal(SIGTERM, handler);
  }
  open_counters(argv[1], kWorkNames, kWorkFunctions, 1);
  take_slot(0);
  const time_t end = time(NULL) + atoi(argv[3]);
  while (caught == 0 && time(NULL) <= end) work(1000, 1);
  if (caught != 0) {
    printf("caught %d\n", (int)caught);
    return 6;
  }
  printf("not caught\n");
  return 5;
}
