// exec of a recorded program: a stream of its own; the frames of the one before stay open.
// expect: main!( become! )
// expect stream: main( second )
// run: first
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

KEEP static void second(void) { puts("second"); DONE; }
KEEP static void become(char *program) {
  puts("first");
  fflush(stdout);
  execl(program, program, "second", (char *)NULL);
  DONE;
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "second") == 0) {
    second();
    DONE;
    return 0;
  }
  become(arguments[0]);
  DONE;
  return 1;
}
