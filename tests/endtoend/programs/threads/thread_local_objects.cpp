// Objects of a thread: built when they are first used, destroyed when the thread ends.
// flags: -pthread
// expect: main( touch( Noisy::Noisy ) touch ) Noisy::~Noisy
// expect stream: worker( touch( Noisy::Noisy ) touch ) Noisy::~Noisy( helper )
#include <pthread.h>

#include <cstdio>

#include "keep.h"

KEEP static void helper(int n) {
  std::printf("%d\n", n);
  DONE;
}
struct Noisy {
  Noisy();
  ~Noisy();
  int number;
};
KEEP Noisy::Noisy() : number(5) { std::puts("+"); }
KEEP Noisy::~Noisy() {
  if (number > 6) helper(number);
  std::puts("-");
}

KEEP static int touch(int by) {
  thread_local Noisy noisy;
  noisy.number += by;
  return noisy.number;
}
static void* worker(void* argument) {
  touch(3);
  touch(4);
  DONE;
  return argument;
}

int main() {
  pthread_t thread{};
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_join(thread, nullptr);
  touch(0);
  touch(1);
  return 0;
}
