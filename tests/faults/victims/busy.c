/* busy COUNTERS THREADS CALLS: each thread calls outer() CALLS times, or for ever if that is 0.
 * With one thread, main is it. */
#include <pthread.h>

#include "work.h"

static uint64_t calls;

static void* run(void* argument) {
  const uint64_t number = (uint64_t)(uintptr_t)argument;
  take_slot(number);
  return (void*)(uintptr_t)work(calls, (uint32_t)number);
}

int main(int argc, char** argv) {
  if (argc != 4) return 98;
  const uint64_t threads = strtoull(argv[2], NULL, 10);
  calls = strtoull(argv[3], NULL, 10);
  open_counters(argv[1], kWorkNames, kWorkFunctions, threads);
  pthread_t started[64];
  for (uint64_t i = 1; i < threads; ++i) {
    if (pthread_create(&started[i], NULL, run, (void*)(uintptr_t)i) != 0) return 97;
  }
  printf("0 %u\n", (unsigned)(uintptr_t)run(NULL));
  for (uint64_t i = 1; i < threads; ++i) {
    void* result = NULL;
    pthread_join(started[i], &result);
    printf("%u %u\n", (unsigned)i, (unsigned)(uintptr_t)result);
  }
  return 0;
}
