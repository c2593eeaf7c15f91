// What the runtime knows about its process.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "arena_view.h"

#define PATHSPOOL_EXPORT extern "C" __attribute__((visibility("default")))

namespace pathspool::runtime {

enum class AttachState : std::uint32_t { unknown = 0, attaching, recorded, unrecorded };

inline constexpr std::uint32_t kMostLostRings = 16;

struct Process {
  ArenaView arena;
  std::atomic<AttachState> state;
  std::atomic<std::int32_t> attaching_thread;
  std::uint32_t entry;  // index of its ProcessEntry
  std::int32_t pid;
  std::atomic<std::uint32_t> first_serial;  // of its first ring; kNoRing until then
  pthread_key_t thread_key;
  bool has_thread_key;
  std::uint32_t lost_rings[kMostLostRings];  // that this process cannot use: see fork.cpp
  std::uint32_t lost_ring_count;
  char name[sizeof(wire::ProcessEntry::name)];
};

extern Process process;

// Attaches if that has not been tried; true if this process is recorded. Safe wherever and whenever
// it is called.
bool is_recorded();

// The same with the environment that the program was started with; null: find it.
void attach(char** environment);

// Takes a ProcessEntry for this process. False if there is none.
bool claim_process_entry();

// The value of a variable in an environment; null if it is not there.
const char* value_in(char** environment, const char* variable);

// "pathspool: this program runs unrecorded: WHY", and the subject if there is one.
void say_unrecorded(const char* why, const char* subject = nullptr);

// In signals.cpp and fork.cpp.
void find_real_signal_functions();
void forget_signal_lock();
void watch_forks();
// In options.cpp: started by hand with PATHSPOOL_OPTIONS, the program starts itself anew under
// `pathspool record`.
void obey_options(int argc, char** argv, char** environment);
// In thread_ring.cpp.
void watch_thread_ends();

}  // namespace pathspool::runtime
