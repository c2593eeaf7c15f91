// C frames between a throw and its handler.
#include "keep.h"

KEEP static int c_frame(int (*function)(int), int argument) {
  int result = function(argument);
  DONE;
  return result + 1;
}

int c_outer(int (*function)(int), int argument) {
  int result = c_frame(function, argument);
  DONE;
  return result + 1;
}
