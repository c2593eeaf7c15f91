// A C++ program without shared libraries, with threads and exceptions.
// flags: -static -pthread
// levels: -O0 -O2
// expect: main( f( thrower ) caught )
// expect stream: worker( f( thrower ) caught )
#include <pthread.h>

#include <cstdio>

#include "keep.h"

KEEP static void thrower() {
  DONE;
  throw 1;
}
KEEP static void f() {
  thrower();
  DONE;
}
KEEP static void caught(int value) {
  std::printf("%d\n", value);
  DONE;
}
static void* worker(void* argument) {
  try {
    f();
  } catch (int value) {
    caught(value);
  }
  return argument;
}

int main() {
  pthread_t thread{};
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_join(thread, nullptr);
  try {
    f();
  } catch (int value) {
    caught(value);
  }
  return 0;
}
