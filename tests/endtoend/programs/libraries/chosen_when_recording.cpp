// -F and -N of `record`: what is left out is left out of the file.
// record: -F main -F 'wanted*' -N '*_not(*'
// expect: main( wanted( wanted_too ) )
#include <cstdio>

#include "keep.h"

KEEP static void wanted_not() {
  std::puts("not");
  DONE;
}
KEEP static void wanted_too() {
  wanted_not();
  DONE;
}
KEEP static void other() {
  wanted_too();
  DONE;
}
KEEP static void wanted() {
  other();
  DONE;
}

int main() {
  wanted();
  return 0;
}
