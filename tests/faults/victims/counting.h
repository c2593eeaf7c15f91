/* A victim counts its own calls in a file that it shares with the test, so that the test knows what
 * ran although the victim was killed. A slot has one writer, a thread.
 *
 * STARTED(f) comes first in a counted function and ENDED(f) last, so that the enter word is written
 * before the first and the exit word at most one step from the second. A thread that is killed is
 * between the two words and their counts in at most one function. */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kMostCounted = 6, kNameBytes = 32 };

struct Slot {
  volatile uint64_t pid;
  volatile uint64_t tid;
  volatile uint64_t started[kMostCounted];
  volatile uint64_t ended[kMostCounted];
  volatile uint64_t reserved[2];
};

struct Counters {
  char names[kMostCounted][kNameBytes]; /* of the counted functions */
  volatile uint64_t slots;
  volatile uint64_t phase; /* what the victim has reached, as it likes */
  volatile uint64_t pid;   /* last: the test waits for it */
  volatile uint64_t reserved[5];
};

static struct Counters* counters;
static __thread struct Slot* slot;

#define STARTED(f) (slot->started[f] = slot->started[f] + 1)
#define ENDED(f) (slot->ended[f] = slot->ended[f] + 1)

__attribute__((unused)) static struct Slot* slot_number(uint64_t number) {
  return (struct Slot*)(counters + 1) + number;
}

/* For the calling thread; `number` is nobody else's. */
__attribute__((unused)) static void take_slot(uint64_t number) {
  struct Slot* mine = slot_number(number);
  mine->pid = (uint64_t)getpid();
  mine->tid = (uint64_t)syscall(SYS_gettid);
  slot = mine;
}

__attribute__((unused)) static void open_counters(const char* path, const char* const* names,
                                                  int count, uint64_t slots) {
  const size_t bytes = sizeof(struct Counters) + slots * sizeof(struct Slot);
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
    perror(path);
    exit(99);
  }
  counters = (struct Counters*)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (counters == MAP_FAILED) {
    perror(path);
    exit(99);
  }
  close(file);
  for (int i = 0; i < count; ++i) {
    strncpy(counters->names[i], names[i], kNameBytes - 1);
  }
  counters->slots = slots;
  counters->pid = (uint64_t)getpid();
}
