// fork: the parent notes it in its ring, the child starts a process and a stream of its own, which
// name that note.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"
#include "ring.h"
#include "thread_ring.h"
#include "thread_state.h"

namespace pathspool::runtime {
namespace {

// Signals stay blocked until the child has a ring: a handler would write into the parent's.
void before_fork() {
  ThreadState& thread = thread_state;
  thread.mask_before_fork = block_signals();
  thread.fork_token = 0;
  if (!is_recorded() || thread.status != ThreadStatus::recording || !is_in_own_ring()) return;
  const ArenaView& arena = process.arena;
  const std::uint32_t token = arena.header().next_fork_token.fetch_add(1);
  write_pair(wire::control_word(wire::Control::fork), token);
  // The collector reads the parent up to here before it can start the child's stream, so it gets
  // the chunk now.
  const std::uint32_t ring = thread.rings[thread.level] - 1;
  if (!arena.holds(pathspool_cursor)) return;  // the recording stopped while we looked for room
  pathspool_cursor = pathspool_chunk_full_c(pathspool_cursor);
  thread.fork_token = token;
  thread.fork_parent = arena.ring(ring).serial;
}

void after_fork_in_parent() { restore_signals(thread_state.mask_before_fork); }

// A fork in a handler: the code that it interrupted may hold a cursor of the parent's ring in a
// register. What the child writes there must not reach the parent, so the child gets private memory
// in that place, and never uses that ring.
void lose_ring(std::uint32_t index) {
  const ArenaView& arena = process.arena;
  if (process.lost_ring_count == kMostLostRings) return;
  process.lost_rings[process.lost_ring_count++] = index;
  system_call(SYS_mmap, as_argument(arena.chunk_start(index, 0)),
              static_cast<long>(arena.ring_bytes()), PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void forget_parent_rings() {
  ThreadState& thread = thread_state;
  for (std::uint32_t level = 0; level <= kSignalLevels; ++level) {
    const std::uint32_t ring = thread.rings[level];
    if (level < thread.level && ring != 0 && ring != wire::kNoRing) lose_ring(ring - 1);
    thread.rings[level] = 0;
    thread.resting[level] = nullptr;
    if (level > 0 && level <= thread.level) thread.interruptions[level].cursor = first_cursor();
  }
}

void after_fork_in_child() {
  ThreadState& thread = thread_state;
  const SignalMask mask = thread.mask_before_fork;
  if (is_recorded()) {
    forget_signal_lock();
    const wire::ProcessEntry& parent = process.arena.process(process.entry);
    const std::uint32_t mode = parent.mode;
    const std::uint32_t has_mode = parent.has_mode;
    process.pid = process_id();
    process.first_serial.store(wire::kNoRing, std::memory_order_relaxed);
    forget_parent_rings();
    if (thread.status == ThreadStatus::recording) pathspool_cursor = first_cursor();
    if (claim_process_entry()) {
      wire::ProcessEntry& entry = process.arena.process(process.entry);
      entry.mode = mode;
      __atomic_store_n(&entry.has_mode, has_mode, __ATOMIC_RELEASE);
      if (thread.fork_token != 0) claim_level(thread.fork_parent, thread.fork_token);
    } else {
      process.arena.header().streams_lost.fetch_add(1);
      thread.status = ThreadStatus::unrecorded;
      pathspool_cursor = idle_cursor();
    }
  }
  restore_signals(mask);
}

#ifndef PATHSPOOL_STATIC
pid_t (*real_fork)() = nullptr;
#endif

}  // namespace

void watch_forks() {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
#ifndef PATHSPOOL_STATIC
  real_fork = reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "_Fork"));
#endif
}

}  // namespace pathspool::runtime

#ifndef PATHSPOOL_STATIC
// The fork that calls no handlers. A static program's own _Fork cannot be stood in for: libc's fork
// calls it too.
PATHSPOOL_EXPORT pid_t _Fork() {
  using namespace pathspool::runtime;
  if (!is_recorded() || real_fork == nullptr) {
    const auto real = reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "_Fork"));
    if (real != nullptr) return real();
    errno = ENOSYS;
    return -1;
  }
  before_fork();
  const pid_t child = real_fork();
  child == 0 ? after_fork_in_child() : after_fork_in_parent();
  return child;
}
#endif
