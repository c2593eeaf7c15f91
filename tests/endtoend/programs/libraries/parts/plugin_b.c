// Another plugin, with functions of the same names.
#include "keep.h"

KEEP static int helper(int x) { DONE; return x + 20; }
int plugin_call(int x) {
  int y = helper(x);
  y += helper(y);
  DONE;
  return y;
}
