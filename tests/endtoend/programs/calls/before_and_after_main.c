// Functions that run before main and after it.
// expect: early( helper ) late_constructor main( helper ) destructor( helper )
#include <stdio.h>

#include "keep.h"

static int count;
KEEP static void helper(void) { ++count; DONE; }
__attribute__((constructor(101))) static void early(void) { helper(); DONE; }
__attribute__((constructor)) static void late_constructor(void) { count += 10; DONE; }
__attribute__((destructor)) static void destructor(void) { helper(); printf("%d\n", count); DONE; }

int main(void) {
  helper();
  DONE;
  return 0;
}
