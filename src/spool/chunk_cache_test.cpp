#include "spool/chunk_cache.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"

namespace pathspool::spool {
namespace {

constexpr std::uint64_t kChunkBytes = 1000;

// Whether it was taken.
bool offer(ChunkCache& cache, std::uint64_t offset_bytes) {
  CodedEvents raw(kChunkBytes);
  std::ranges::fill(raw.bytes(), static_cast<std::uint8_t>(offset_bytes));
  cache.offer(offset_bytes, raw);
  return raw.empty();
}

base::Bytes bytes_of(const ChunkCache::Chunk& chunk) {
  return chunk ? base::Bytes(chunk->bytes().begin(), chunk->bytes().end()) : base::Bytes();
}

// Room for so many chunks and half a one.
std::uint64_t room_for(std::uint64_t chunks) {
  ChunkCache cache;
  cache.set_bound(10 * kChunkBytes);
  offer(cache, 1);
  return chunks * cache.memory_bytes() + kChunkBytes / 2;
}

TEST(ChunkCache, keeps_what_was_offered) {
  ChunkCache cache;
  cache.set_bound(room_for(2));
  EXPECT_EQ(cache.find(7), nullptr);
  EXPECT_TRUE(offer(cache, 7));
  EXPECT_EQ(bytes_of(cache.find(7)), base::Bytes(kChunkBytes, 7));
  EXPECT_FALSE(offer(cache, 7));  // it is there already
  EXPECT_EQ(cache.find(8), nullptr);
}

TEST(ChunkCache, keeps_nothing_before_it_has_a_bound) {
  ChunkCache cache;
  EXPECT_FALSE(offer(cache, 7));
  EXPECT_EQ(cache.memory_bytes(), 0U);
}

TEST(ChunkCache, drops_what_was_used_longest_ago) {
  ChunkCache cache;
  cache.set_bound(room_for(3));
  for (const std::uint64_t chunk : {1U, 2U, 3U}) EXPECT_TRUE(offer(cache, chunk));
  cache.begin_search(room_for(3));
  EXPECT_NE(cache.find(1), nullptr);
  EXPECT_TRUE(offer(cache, 4));
  EXPECT_EQ(cache.find(2), nullptr);
  EXPECT_NE(cache.find(1), nullptr);
  EXPECT_NE(cache.find(3), nullptr);
  EXPECT_LE(cache.memory_bytes(), room_for(3));
}

TEST(ChunkCache, a_search_does_not_drive_out_what_it_used) {
  ChunkCache cache;
  cache.set_bound(room_for(2));
  for (int round = 0; round < 3; ++round) {
    cache.begin_search(room_for(2));
    int met = 0;
    for (const std::uint64_t chunk : {1U, 2U, 3U, 4U}) {
      if (cache.find(chunk)) {
        ++met;
      } else {
        offer(cache, chunk);
      }
    }
    EXPECT_EQ(met, round == 0 ? 0 : 2);
  }
}

TEST(ChunkCache, a_smaller_bound_holds_at_once) {
  ChunkCache cache;
  cache.set_bound(room_for(3));
  for (const std::uint64_t chunk : {1U, 2U, 3U}) offer(cache, chunk);
  const ChunkCache::Chunk held = cache.find(1);
  cache.set_bound(room_for(1));
  EXPECT_LE(cache.memory_bytes(), room_for(1));
  EXPECT_NE(cache.find(1), nullptr);  // used last
  cache.set_bound(0);
  EXPECT_EQ(cache.memory_bytes(), 0U);
  EXPECT_EQ(bytes_of(held), base::Bytes(kChunkBytes, 1));  // whoever reads it keeps it
}

}  // namespace
}  // namespace pathspool::spool
