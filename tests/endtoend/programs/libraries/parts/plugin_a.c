// A plugin with a constructor, a destructor and a static function whose name others have too.
#include <stdio.h>

#include "keep.h"

KEEP static int helper(int x) { DONE; return x + 10; }
__attribute__((constructor)) static void plugin_start(void) { puts("loaded"); DONE; }
__attribute__((destructor)) static void plugin_end(void) { puts("unloaded"); DONE; }
int plugin_call(int x) {
  int y = helper(x);
  DONE;
  return y;
}
