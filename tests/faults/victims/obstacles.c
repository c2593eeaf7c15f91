/* obstacles COUNTERS CALLS FOLDER WHAT...: does WHAT (chdir, limits, chroot to FOLDER, close), one
 * after the other, with calls before, between and after them; then threads and a fork, also with
 * calls. All of that is counted. Ends with status 7. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "work.h"

enum { kThreads = 12, kSlots = kThreads + 2 };

static uint64_t calls;

static void fail(int status) {
  counters->phase = 1000 + (uint64_t)status; /* standard error may be closed */
  _exit(status);
}

static void* run(void* argument) {
  const uint64_t number = (uint64_t)(uintptr_t)argument;
  take_slot(number);
  work(calls + number, (uint32_t)number);
  return NULL;
}

static void limit(int resource, rlim_t value) {
  const struct rlimit wanted = {value, value};
  if (setrlimit((__rlimit_resource_t)resource, &wanted) != 0) fail(20);
}

static rlim_t address_space(void) {
  unsigned long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%lu", &pages) != 1) fail(21);
  fclose(file);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void do_obstacle(const char* what, const char* folder) {
  if (strcmp(what, "chdir") == 0) {
    if (chdir("/") != 0) fail(22);
  } else if (strcmp(what, "chroot") == 0) {
    if (chroot(folder) != 0 || chdir("/") != 0 || access("/proc", F_OK) == 0) fail(23);
  } else if (strcmp(what, "limits") == 0) {
    limit(RLIMIT_AS, address_space() + (32U << 20));
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_MEMLOCK, 0);
  } else if (strcmp(what, "close") == 0) {
    if (syscall(SYS_close_range, 0U, ~0U, 0U) != 0) fail(24);
  } else {
    fail(25);
  }
}

int main(int argc, char** argv) {
  if (argc < 4) return 98;
  calls = strtoull(argv[2], NULL, 10);
  open_counters(argv[1], kWorkNames, kWorkFunctions, kSlots);
  take_slot(0);
  work(calls, 1);
  for (int i = 4; i < argc; ++i) {
    do_obstacle(argv[i], argv[3]);
    work(calls, 2);
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256U << 10);
  pthread_t threads[kThreads];
  for (uint64_t i = 0; i < kThreads; ++i) {
    if (pthread_create(&threads[i], &attributes, run, (void*)(uintptr_t)(i + 1)) != 0) fail(26);
    if (i % 3 == 0) pthread_join(threads[i], NULL);
  }
  for (uint64_t i = 0; i < kThreads; ++i) {
    if (i % 3 != 0) pthread_join(threads[i], NULL);
  }
  work(calls, 3);
  const pid_t child = fork();
  if (child == 0) {
    run((void*)(uintptr_t)(kThreads + 1));
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) fail(27);
  work(calls, 4);
  return 7;
}
