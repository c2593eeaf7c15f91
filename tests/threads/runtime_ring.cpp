// The runtime's side of a ring, with a writer and a reader on threads of one process: that is where
// ThreadSanitizer can see both.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "../../recorder/runtime/ring.h"

namespace pathspool::runtime {
namespace {

constexpr std::uint32_t kRings = 3;
constexpr std::uint32_t kChunks = 4;

struct FreeMemory {
  void operator()(unsigned char* memory) const { std::free(memory); }
};

// An arena in this process's own memory.
class Arena {
 public:
  Arena() {
    const std::uint64_t bytes = wire::kChunkBytes * (1 + kRings * kChunks);
    memory_.reset(static_cast<unsigned char*>(std::aligned_alloc(wire::kChunkBytes, bytes)));
    std::memset(memory_.get(), 0, bytes);
    auto* const header = new (memory_.get()) wire::ArenaHeader{};
    header->rings = kRings;
    header->chunks_per_ring = kChunks;
    header->ring_headers_offset = 4096;
    header->rings_offset = wire::kChunkBytes;
    header->tables_offset = bytes;
    header->arena_bytes = bytes;
    header->state = static_cast<std::uint32_t>(wire::ArenaState::recording);
    for (std::uint32_t i = 0; i < kRings; ++i) {
      new (memory_.get() + 4096 + i * sizeof(wire::RingHeader)) wire::RingHeader{};
    }
  }
  ArenaView view() const { return ArenaView(memory_.get()); }

 private:
  std::unique_ptr<unsigned char, FreeMemory> memory_;
};

bool is_in(const wire::RingHeader& ring, wire::RingState state) {
  return ring.state.load(std::memory_order_acquire) == static_cast<std::uint32_t>(state);
}

std::uint32_t claim(const ArenaView& arena) {
  const RingIdentity identity{0, wire::RingKind::thread, 1, 0, wire::kNoRing, 0};
  std::uint32_t ring = wire::kNoRing;
  while (ring == wire::kNoRing) {
    ring = claim_ring(arena, identity, [](std::uint32_t) { return true; });
    if (ring == wire::kNoRing) sleep_a_millisecond();
  }
  return ring;
}

// Writes whole chunks of numbers from 1, then ends the ring.
void write_stream(const ArenaView& arena, Word last) {
  const std::uint32_t index = claim(arena);
  wire::RingHeader& ring = arena.ring(index);
  Word* cursor = arena.chunk_start(index, 0);
  for (Word value = 1; value <= last; ++value) {
    if (is_full(cursor)) {
      publish_chunk(arena, ring, words_before(cursor));
      ASSERT_TRUE(wait_for_room(arena, ring));
      cursor = arena.chunk_start(index, ring.published.load());
    }
    *cursor++ = value;
  }
  end_ring(arena, ring);
}

// One look at every ring. Counts the words of streams that have ended, and those that are wrong.
class Reader {
 public:
  explicit Reader(const ArenaView& arena) : arena_(arena), expected_(kRings, 1) {}

  void look() {
    for (std::uint32_t index = 0; index < kRings; ++index) {
      wire::RingHeader& ring = arena_.ring(index);
      const bool ended = is_in(ring, wire::RingState::ended);
      if (!ended && !is_in(ring, wire::RingState::active)) continue;
      const std::uint32_t published = ring.published.load(std::memory_order_acquire);
      for (std::uint32_t count = ring.drained.load(); count != published; ++count) {
        take(index, arena_.chunk_start(index, count), ring.words[count % kChunks]);
        ring.drained.store(count + 1);
        if (ring.writer_waits.load() != 0) futex_wake(ring.drained);
      }
      if (!ended) continue;
      Word* const tail = arena_.chunk_start(index, published);
      std::uint32_t length = 0;
      while (tail[length] != 0) ++length;
      take(index, tail, length);
      expected_[index] = 1;
      ++streams;
      ring.state.store(static_cast<std::uint32_t>(wire::RingState::free),
                       std::memory_order_release);
    }
  }

  std::uint64_t words = 0;
  std::uint64_t wrong = 0;
  std::uint32_t streams = 0;

 private:
  void take(std::uint32_t index, Word* chunk, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      wrong += chunk[i] != expected_[index]++;
      chunk[i] = 0;
    }
    words += count;
  }

  ArenaView arena_;
  std::vector<Word> expected_;
};

TEST(RuntimeRing, one_writer_and_one_reader_lose_nothing) {
  const Arena arena;
  std::thread writer([&] { write_stream(arena.view(), 300'000); });
  Reader reader(arena.view());
  while (reader.streams < 1) reader.look();
  writer.join();
  EXPECT_EQ(reader.words, 300'000U);
  EXPECT_EQ(reader.wrong, 0U);
}

TEST(RuntimeRing, a_reader_that_sleeps_is_woken_by_the_doorbell) {
  const Arena arena;
  std::thread writer([&] { write_stream(arena.view(), 200'000); });
  Reader reader(arena.view());
  wire::ArenaHeader& header = arena.view().header();
  while (reader.streams < 1) {
    header.collector_sleeps.store(1);
    const std::uint32_t doorbell = header.doorbell.load();
    reader.look();
    if (reader.streams < 1) futex_wait(header.doorbell, doorbell, 900'000'000);
    header.collector_sleeps.store(0);
  }
  writer.join();
  EXPECT_EQ(reader.words, 200'000U);
  EXPECT_EQ(reader.wrong, 0U);
}

TEST(RuntimeRing, more_writers_than_rings_take_turns) {
  const Arena arena;
  constexpr std::uint32_t kWriters = 8;
  constexpr Word kRounds = 5;
  std::vector<std::thread> writers;
  for (std::uint32_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      for (Word round = 0; round < kRounds; ++round) write_stream(arena.view(), 5'000 * (i + 1));
    });
  }
  Reader reader(arena.view());
  while (reader.streams < kWriters * kRounds) reader.look();
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(reader.words, kRounds * 5'000U * (kWriters * (kWriters + 1) / 2));
  EXPECT_EQ(reader.wrong, 0U);
  EXPECT_EQ(arena.view().header().next_serial, kWriters * kRounds);
}

TEST(RuntimeRing, a_stop_lets_a_waiting_writer_go) {
  const Arena arena;
  std::atomic<bool> had_room{true};
  std::thread writer([&] {
    const std::uint32_t index = claim(arena.view());
    wire::RingHeader& ring = arena.view().ring(index);
    for (std::uint32_t i = 0; i < kChunks; ++i) publish_chunk(arena.view(), ring, 1);
    had_room = wait_for_room(arena.view(), ring);
  });
  while (arena.view().ring(0).writer_waits.load() == 0) sleep_a_millisecond();
  arena.view().header().state.store(static_cast<std::uint32_t>(wire::ArenaState::stopped));
  writer.join();
  EXPECT_FALSE(had_room);
}

}  // namespace
}  // namespace pathspool::runtime
