// Functions that run before all constructors, when no module has been registered: they are counted.
// expect: main( helper )
// expect note: ^2 calls of functions that no module names are not recorded$
#include <stdio.h>

#include "keep.h"

static volatile int count;
KEEP static void helper(void) { ++count; DONE; }
static void earliest(int arguments, char **argument, char **environment) {
  (void)arguments, (void)argument, (void)environment;
  helper();
  DONE;
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = earliest;

int main(void) {
  helper();
  printf("%d\n", count);
  return 0;
}
