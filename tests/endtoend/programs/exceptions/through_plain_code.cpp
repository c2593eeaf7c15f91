// Thrown through frames that are not recorded: a library that plain clang compiled calls back.
// build: $PLAIN_CXX -fPIC -shared $HERE/parts/plain_library.cpp -o libplain.so
// build: $CXX -I$HERE/.. $SOURCE -o $PROGRAM -L. -lplain -Wl,-rpath,'$ORIGIN'
// expect: main( run( callback( thrower ) ) caught run( callback )
//    run_guarded( callback( thrower ) ) after )
#include <cstdio>

#include "keep.h"

// In the library.
int call_back(int (*function)(int), int argument);
int call_back_and_catch(int (*function)(int), int argument);

KEEP static void thrower() {
  DONE;
  throw 1;
}
static int callback(int x) {
  if (x > 0) thrower();
  DONE;
  return x;
}
KEEP static int run(int x) {
  int result = call_back(callback, x);
  DONE;
  return result;
}
// The library catches it: no landing pad of ours tells that.
KEEP static int run_guarded(int x) {
  int result = call_back_and_catch(callback, x);
  DONE;
  return result;
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}
KEEP static void after() {
  std::puts("after");
  DONE;
}

int main() {
  try {
    run(1);
  } catch (int value) {
    caught(value);
  }
  std::printf("%d\n", run(0));
  std::printf("%d\n", run_guarded(1));
  after();
  return 0;
}
