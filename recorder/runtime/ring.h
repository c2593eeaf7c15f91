// A ring as its writer uses it: claim it, publish chunks, wait for room. No state but the arena's
// own, so that this can be interrupted and abandoned at any instruction, and be tested on threads
// without the rest of the runtime.
#pragma once

#include <cstdint>

#include "arena_view.h"
#include "system_calls.h"

namespace pathspool::runtime {

inline bool takes_events(const wire::ArenaHeader& arena) {
  return arena.state.load(std::memory_order_acquire) ==
             static_cast<std::uint32_t>(wire::ArenaState::recording) &&
         (arena.collector.load(std::memory_order_relaxed) & FUTEX_OWNER_DIED) == 0;
}

// The collector says that it sleeps before it looks a last time, and we add before we look at that:
// one of the two sees the other, since both are sequentially consistent.
inline void ring_the_doorbell(wire::ArenaHeader& arena) {
  arena.doorbell.fetch_add(1);
  if (arena.collector_sleeps.load() != 0) futex_wake(arena.doorbell);
}

struct RingIdentity {
  std::uint32_t process;
  wire::RingKind kind;
  std::int32_t pid;
  std::uint32_t signal_level;
  std::uint32_t parent_serial;
  std::uint32_t fork_token;
};

inline void copy_thread_name(char (&name)[20]) {
  for (char& letter : name) letter = 0;
  system_call(SYS_prctl, 16 /* PR_GET_NAME: at most 16 bytes */, as_argument(&name[0]));
}

// kNoRing if none is free at the moment. `usable` says which ones this process may take.
template <class Usable>
std::uint32_t claim_ring(const ArenaView& arena, const RingIdentity& identity, Usable usable) {
  for (std::uint32_t index = 0; index < arena.rings(); ++index) {
    wire::RingHeader& ring = arena.ring(index);
    auto state = static_cast<std::uint32_t>(wire::RingState::free);
    if (ring.state.load(std::memory_order_relaxed) != state || !usable(index)) continue;
    if (!ring.state.compare_exchange_strong(state,
                                            static_cast<std::uint32_t>(wire::RingState::claimed),
                                            std::memory_order_acquire)) {
      continue;
    }
    ring.process = identity.process;
    ring.pid = identity.pid;
    ring.tid = thread_id();
    ring.kind = identity.kind;
    ring.signal_level = identity.signal_level;
    ring.parent_serial = identity.parent_serial;
    ring.fork_token = identity.fork_token;
    copy_thread_name(ring.name);
    ring.published.store(0, std::memory_order_relaxed);
    ring.drained.store(0, std::memory_order_relaxed);
    ring.writer_waits.store(0, std::memory_order_relaxed);
    ring.serial = arena.header().next_serial.fetch_add(1, std::memory_order_relaxed);
    ring.state.store(static_cast<std::uint32_t>(wire::RingState::active),
                     std::memory_order_release);
    return index;
  }
  return wire::kNoRing;
}

inline void publish_chunk(const ArenaView& arena, wire::RingHeader& ring, std::uint32_t words) {
  const std::uint32_t published = ring.published.load(std::memory_order_relaxed);
  ring.words[published % arena.chunks_per_ring()] = words;
  ring.published.store(published + 1, std::memory_order_release);
  ring_the_doorbell(arena.header());
}

inline bool has_room(const ArenaView& arena, const wire::RingHeader& ring) {
  return ring.published.load(std::memory_order_relaxed) -
             ring.drained.load(std::memory_order_seq_cst) <
         arena.chunks_per_ring();
}

inline void rest_a_moment() {
#if defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");  // `yield` does nothing on most cores; this takes some time
#else
  __asm__ volatile("pause" ::: "memory");
#endif
}

// Until the next chunk is free. False if it never will be: the collector stopped, or is dead.
inline bool wait_for_room(const ArenaView& arena, wire::RingHeader& ring) {
  constexpr int kSpins = 300;
  constexpr long kLookNanoseconds = 50'000'000;  // how often to look whether the collector lives
  for (int spin = 0; spin < kSpins; ++spin) {
    if (has_room(arena, ring)) return true;
    rest_a_moment();
  }
  while (takes_events(arena.header())) {
    ring.writer_waits.store(1);
    const std::uint32_t drained = ring.drained.load();
    if (has_room(arena, ring)) {
      ring.writer_waits.store(0, std::memory_order_relaxed);
      return true;
    }
    futex_wait(ring.drained, drained, kLookNanoseconds);
  }
  ring.writer_waits.store(0, std::memory_order_relaxed);
  return has_room(arena, ring);
}

inline void end_ring(const ArenaView& arena, wire::RingHeader& ring) {
  ring.state.store(static_cast<std::uint32_t>(wire::RingState::ended), std::memory_order_release);
  ring_the_doorbell(arena.header());
}

}  // namespace pathspool::runtime
