// How a thread gets rings, goes from chunk to chunk, and ends.
#include "thread_ring.h"

#include <limits.h>
#include <pthread.h>

#include "process.h"
#include "ring.h"
#include "thread_state.h"

namespace pathspool::runtime {

__thread ThreadState thread_state;

namespace {

// Memory for those who are not recorded: threads share its chunks by turns, and nobody reads them.
// One chunk more than that, because loaders older than glibc 2.35 do not keep the alignment.
constexpr std::uint32_t kIdleChunks = 64;
alignas(wire::kChunkBytes) Word idle[(kIdleChunks + 1) * wire::kChunkWords];
constinit std::atomic<std::uint32_t> next_idle_chunk{0};

}  // namespace

// No address at all: a look comes before the first word.
Word* first_cursor() { return reinterpret_cast<Word*>(wire::kChunkFullBit); }

Word* idle_cursor() {
  ThreadState& thread = thread_state;
  if (thread.idle_chunk == 0) {
    thread.idle_chunk = next_idle_chunk.fetch_add(1, std::memory_order_relaxed) % kIdleChunks + 1;
  }
  const std::uintptr_t begin =
      (address_of(idle) + wire::kChunkBytes - 1) & ~(wire::kChunkBytes - 1);
  return reinterpret_cast<Word*>(begin + (thread.idle_chunk - 1) * wire::kChunkBytes);
}

namespace {

Word* go_on_at(Word* cursor) {
  pathspool_cursor = cursor;
  return cursor;
}

Word* next_chunk(Word* cursor) {
  const ArenaView& arena = process.arena;
  const std::uint32_t index = arena.ring_of(cursor);
  wire::RingHeader& ring = arena.ring(index);
  publish_chunk(arena, ring, words_before(cursor));
  if (!wait_for_room(arena, ring)) {
    thread_state.status = ThreadStatus::unrecorded;
    return go_on_at(idle_cursor());
  }
  return go_on_at(arena.chunk_start(index, ring.published.load(std::memory_order_relaxed)));
}

// Rings that this process has lost hold of are left alone (fork.cpp).
bool is_usable(std::uint32_t ring) {
  for (std::uint32_t i = 0; i < process.lost_ring_count; ++i) {
    if (process.lost_rings[i] == ring) return false;
  }
  return true;
}

std::uint32_t serial_of_level_0() {
  const std::uint32_t ring = thread_state.rings[0];
  if (ring == 0 || ring == wire::kNoRing) return wire::kNoRing;
  return process.arena.ring(ring - 1).serial;
}

void note_thread_end() {
  // The first 32 keys live in the thread itself. A later one would have to be allocated, which must
  // not be done here: the rings of such a thread end with the process.
  constexpr pthread_key_t kKeysWithoutAllocation = 32;
  if (process.has_thread_key && process.thread_key < kKeysWithoutAllocation) {
    pthread_setspecific(process.thread_key, &process);
  }
}

// False if no ring is free now.
bool try_to_claim_level(std::uint32_t parent_serial, std::uint32_t fork_token) {
  ThreadState& thread = thread_state;
  // The thread's ring and its cursor change together, as a handler that never returns here sees it.
  const SignalsBlocked blocked;
  const std::uint32_t level = thread.level;
  const RingIdentity identity{
      process.entry, level == 0 ? wire::RingKind::thread : wire::RingKind::signals,
      process.pid,   level,
      parent_serial, fork_token};
  const std::uint32_t index = claim_ring(process.arena, identity, is_usable);
  if (index == wire::kNoRing) return false;
  std::uint32_t none = wire::kNoRing;
  process.first_serial.compare_exchange_strong(none, process.arena.ring(index).serial);
  note_thread_end();
  thread.rings[level] = index + 1;
  go_on_at(process.arena.chunk_start(index, 0));
  return true;
}

Word* first_look(Word* cursor) {
  ThreadState& thread = thread_state;
  if (!is_recorded()) return go_on_at(idle_cursor());
  if (thread.status == ThreadStatus::fresh) {
    thread.status =
        process.arena.header().starts_paused != 0 ? ThreadStatus::paused : ThreadStatus::recording;
  }
  if (thread.status != ThreadStatus::recording) return go_on_at(idle_cursor());
  if (thread.rings[thread.level] != 0) {
    // Either a handler nested too deep for a ring, or code with an outdated cursor in a register,
    // after a fork in a handler that interrupted it.
    if (cursor != pathspool_cursor && is_in_own_ring()) return with_room(pathspool_cursor);
    return go_on_at(idle_cursor());
  }
  claim_level(thread.level == 0 ? process.first_serial.load(std::memory_order_relaxed)
                                : serial_of_level_0(),
              0);
  return pathspool_cursor;
}

}  // namespace

bool is_in_own_ring() {
  const std::uint32_t ring = thread_state.rings[thread_state.level];
  return ring != 0 && process.arena.holds(pathspool_cursor) &&
         process.arena.ring_of(pathspool_cursor) + 1 == ring;
}

void claim_level(std::uint32_t parent_serial, std::uint32_t fork_token) {
  ThreadState& thread = thread_state;
  wire::ArenaHeader& header = process.arena.header();
  constexpr int kTries = 2000;  // a millisecond apart: the collector gives ended rings back
  for (int attempt = 0; attempt < kTries && takes_events(header); ++attempt) {
    if (try_to_claim_level(parent_serial, fork_token)) return;
    ring_the_doorbell(header);
    sleep_a_millisecond();
  }
  if (takes_events(header)) header.streams_lost.fetch_add(1);
  // A handler without a ring does not stop its thread.
  if (thread.level == 0) {
    thread.status = ThreadStatus::unrecorded;
  } else {
    thread.rings[thread.level] = wire::kNoRing;
  }
  go_on_at(idle_cursor());
}

Word* true_end(Word* cursor) {
  const ArenaView& arena = process.arena;
  if (!arena.holds(cursor)) return cursor;
  const std::uint32_t index = arena.ring_of(cursor);
  wire::RingHeader& ring = arena.ring(index);
  const std::uint32_t published = ring.published.load(std::memory_order_relaxed);
  if (arena.chunk_of(cursor) != published % arena.chunks_per_ring()) {
    // It was interrupted after it had published the cursor's chunk, before it went on in the next.
    if (!wait_for_room(arena, ring)) {
      thread_state.status = ThreadStatus::unrecorded;
      return idle_cursor();
    }
    return arena.chunk_start(index, published);
  }
  const Word* const end = arena.chunk_start(index, published) + wire::kChunkWords;
  while (cursor + 1 < end && *cursor != 0) ++cursor;
  return cursor;
}

void write_pair(Word first, Word second) {
  // One store, so that neither a signal nor death comes between the two.
  typedef std::uint64_t Pair __attribute__((aligned(4), may_alias));
  Word* const cursor = with_room(pathspool_cursor);
  *reinterpret_cast<volatile Pair*>(cursor) = first | std::uint64_t{second} << 32;
  pathspool_cursor = cursor + 2;
}

void end_rings() {
  ThreadState& thread = thread_state;
  for (std::uint32_t level = 0; level <= kSignalLevels; ++level) {
    const std::uint32_t ring = thread.rings[level];
    if (ring != 0 && ring != wire::kNoRing) end_ring(process.arena, process.arena.ring(ring - 1));
    thread.rings[level] = 0;
    thread.resting[level] = nullptr;
  }
}

namespace {

// Other destructors may still run instrumented code, so ours waits for the last round. Whoever sets
// a key anew even then starts another stream, which ends with the process.
void thread_ends(void*) {
  ThreadState& thread = thread_state;
  ++thread.end_calls;
  // pthread_exit has left the thread's frames, with a word only where they have landing pads.
  if (thread.end_calls == 1 && thread.level == 0 && is_in_own_ring()) {
    const SignalsBlocked blocked;
    write_pair(wire::control_word(wire::Control::unwound), wire::kNoFrameToken);
  }
  if (thread.end_calls < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(process.thread_key, &process);
    return;
  }
  const SignalsBlocked blocked;
  end_rings();
  // Clearing may be a call of the program's own memset, with instrumentation.
  pathspool_cursor = idle_cursor();
  thread = ThreadState{};
  pathspool_cursor = first_cursor();
}

}  // namespace

void watch_thread_ends() {
  process.has_thread_key = pthread_key_create(&process.thread_key, thread_ends) == 0;
}

extern "C" Word* pathspool_chunk_full_c(Word* cursor) {
  if (process.state.load(std::memory_order_acquire) == AttachState::recorded &&
      process.arena.holds(cursor) &&
      process.arena.ring(process.arena.ring_of(cursor)).pid == process.pid) [[likely]] {
    return next_chunk(cursor);
  }
  return first_look(cursor);
}

}  // namespace pathspool::runtime

extern "C" {
__thread pathspool::wire::Word* pathspool_cursor =
    reinterpret_cast<pathspool::wire::Word*>(pathspool::wire::kChunkFullBit);
}
