// A thread that is cancelled is unwound, destructors and all.
// flags: -pthread
// expect: main
// expect stream: worker( Guard::Guard wait_for_it( Guard::Guard ready Guard::~Guard )
//    Guard::~Guard )
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cstdio>

#include "keep.h"

static sem_t waiting;

struct Guard {
  explicit Guard(int n);
  ~Guard();
  int number;
};
KEEP Guard::Guard(int n) : number(n) { std::printf("+%d\n", n); }
KEEP Guard::~Guard() { std::printf("-%d\n", number); }

KEEP static void ready() {
  sem_post(&waiting);
  DONE;
}
KEEP static void wait_for_it() {
  Guard guard(2);
  ready();
  for (;;) pause();
}
static void* worker(void* argument) {
  Guard guard(1);
  wait_for_it();
  return argument;
}

int main() {
  sem_init(&waiting, 0, 0);
  pthread_t thread{};
  void* result = nullptr;
  pthread_create(&thread, nullptr, worker, nullptr);
  sem_wait(&waiting);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  std::printf("%d\n", result == PTHREAD_CANCELED);
  return 0;
}
