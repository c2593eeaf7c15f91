/* forking COUNTERS CHILDREN CALLS: forks without end, so many children at a time, and calls outer()
 * meanwhile. Each child does some calls and ends, also when its parent is gone. */
#include <sys/wait.h>

#include "work.h"

enum { kSlots = 20000 };

int main(int argc, char** argv) {
  if (argc != 4) return 98;
  const uint64_t most = strtoull(argv[2], NULL, 10);
  open_counters(argv[1], kWorkNames, kWorkFunctions, kSlots);
  take_slot(0);
  uint64_t children = 0;
  for (uint64_t number = 1; number < kSlots; ++number) {
    const pid_t child = fork();
    if (child == 0) {
      take_slot(number);
      work(1 + number * 7919 % 500, (uint32_t)number);
      _exit(0);
    }
    if (child < 0) return 97;
    if (++children == most) {
      wait(NULL);
      --children;
    }
    work(20, (uint32_t)number);
  }
  work(0, 1);
}
