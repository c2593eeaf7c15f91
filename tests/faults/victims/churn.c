/* churn COUNTERS SECONDS THREADS SLOTS: keeps THREADS threads going for SECONDS, each short, and
 * starts another for each that ends. Every thread counts in a slot of its own. Prints how many
 * there were. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "work.h"

static uint64_t slots;
static double end_time;
static atomic_ulong next_slot;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void* short_run(void* argument) {
  const uint64_t number = (uint64_t)(uintptr_t)argument;
  take_slot(number);
  work(1 + (number % 16 == 0 ? number * 7919 % 2000 : number % 8), (uint32_t)number);
  return NULL;
}

/* Not counted itself: starts the short ones, one after the other. */
static void* keep_going(void* unused) {
  (void)unused;
  while (now() < end_time) {
    const uint64_t number = atomic_fetch_add(&next_slot, 1);
    if (number >= slots) break;
    pthread_t thread;
    if (pthread_create(&thread, NULL, short_run, (void*)(uintptr_t)number) != 0) exit(97);
    pthread_join(thread, NULL);
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 5) return 98;
  const uint64_t threads = strtoull(argv[3], NULL, 10);
  slots = strtoull(argv[4], NULL, 10);
  open_counters(argv[1], kWorkNames, kWorkFunctions, slots);
  end_time = now() + strtod(argv[2], NULL);
  pthread_t keepers[64];
  for (uint64_t i = 0; i < threads; ++i) pthread_create(&keepers[i], NULL, keep_going, NULL);
  for (uint64_t i = 0; i < threads; ++i) pthread_join(keepers[i], NULL);
  printf("%lu\n", atomic_load(&next_slot) < slots ? atomic_load(&next_slot) : slots);
  return 0;
}
