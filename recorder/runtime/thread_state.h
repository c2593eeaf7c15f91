// What the runtime knows about a thread. It is in TLS of fixed place, all zeros at first, so that
// there is no moment at which a thread lacks it.
//
// A handler that interrupts the thread runs on a ring of its own: `level` is how many handlers are
// running, and each level has a ring, claimed at its first look. The rules that keep this right at
// every instruction:
//  - Which ring a cursor belongs to is told by the cursor, never by `level` alone.
//  - A handler leaves everything as it found it but its own ring's resting cursor, so that code
//  which is
//    interrupted half way through a change does not notice.
//  - All other changes are made with signals blocked.
#pragma once

#include <cstdint>

#include "arena_view.h"

namespace pathspool::runtime {

inline constexpr std::uint32_t kSignalLevels = 8;

enum class ThreadStatus : std::uint32_t {
  fresh = 0,       // has never looked
  recording = 1,   // a level without a ring gets one at its next look
  paused = 2,      // until pathspool_start()
  unrecorded = 3,  // for good
};

// Of the handler that runs at a level: where its part of the stack begins, and what it interrupted.
struct Interruption {
  std::uintptr_t frame;     // the handler's frames lie below
  std::uintptr_t alt_low;   // the bounds of the alternate stack that it runs on; 0 and 0 if it
  std::uintptr_t alt_high;  // runs on the stack of what it interrupted
  Word* cursor;             // the thread's cursor then; words may have been written after it
};

struct ThreadState {
  ThreadStatus status;
  std::uint32_t level;
  std::uint32_t idle_chunk;        // its number plus 1
  std::uint32_t end_calls;         // of the key's destructor
  std::uint32_t fork_token;        // of the fork that is going on
  std::uint32_t fork_parent;       // and the serial of the ring that has it
  std::uint64_t mask_before_fork;  // signals
  std::uint32_t
      rings[kSignalLevels + 1];      // index plus 1; 0: none yet; kNoRing: there was none left
  Word* resting[kSignalLevels + 1];  // the cursor of a level that is not running; null: first
  Interruption interruptions[kSignalLevels + 1];  // [0] is not used
};

extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

}  // namespace pathspool::runtime

// wire/runtime.h. The executable may define its own copy: nothing here may assume that ours is
// used.
extern "C" {
extern __thread pathspool::wire::Word* pathspool_cursor
    __attribute__((visibility("default"), tls_model("initial-exec")));
}
