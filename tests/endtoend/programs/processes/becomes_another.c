// exec of a program that is not recorded.
// expect: main!( f become! )
// expect status: 3
#include <stdio.h>
#include <unistd.h>

#include "keep.h"

KEEP static void f(void) { puts("f"); fflush(stdout); DONE; }
KEEP static void become(void) { execl("/bin/sh", "sh", "-c", "echo another; exit 3", (char *)NULL); DONE; }

int main(void) {
  f();
  become();
  DONE;
  return 1;
}
