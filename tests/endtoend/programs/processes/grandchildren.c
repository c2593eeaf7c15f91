// A child forks in turn; each stream names its own parent.
// expect: main( generation )
// expect stream: main( generation( generation ) )
// expect stream: main( generation( generation( generation ) ) )
// expect parents: 0 1
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

KEEP static void generation(int n) {
  DONE;
  if (n == 2) return;
  if (fork() == 0) {
    generation(n + 1);
  } else {
    wait(NULL);
  }
  DONE;
}

int main(void) {
  generation(0);
  DONE;
  return 0;
}
