// An exception that reaches a function which promised not to throw.
// expect: main!( promises!( thrower on_terminate! ) )
// expect status: signal 6
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "keep.h"

KEEP static void thrower() {
  DONE;
  throw 1;
}
KEEP static void promises() noexcept {
  thrower();
  DONE;
}
KEEP static void on_terminate() {
  std::puts("terminate");
  std::fflush(stdout);
  std::abort();
}

int main() {
  std::set_terminate(on_terminate);
  promises();
  return 0;
}
