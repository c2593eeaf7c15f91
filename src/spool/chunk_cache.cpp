#include "spool/chunk_cache.h"

#include <utility>

namespace pathspool::spool {

void ChunkCache::begin_search(std::uint64_t most_bytes) {
  set_bound(most_bytes);
  const std::lock_guard lock(mutex_);
  ++search_;
}

void ChunkCache::set_bound(std::uint64_t most_bytes) {
  const std::lock_guard lock(mutex_);
  most_bytes_ = most_bytes;
  while (memory_bytes_ > most_bytes_) drop_first();
}

ChunkCache::Chunk ChunkCache::find(std::uint64_t offset_bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = by_offset_.find(offset_bytes);
  if (found == by_offset_.end()) return nullptr;
  const auto entry = found->second;
  entry->search = search_;
  entries_.splice(entries_.end(), entries_, entry);
  return entry->chunk;
}

void ChunkCache::offer(std::uint64_t offset_bytes, CodedEvents& events) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t needed = room_for(events);
  if (needed > most_bytes_ || by_offset_.contains(offset_bytes)) return;
  while (memory_bytes_ + needed > most_bytes_ && entries_.front().search != search_) drop_first();
  if (memory_bytes_ + needed > most_bytes_) return;
  entries_.push_back({offset_bytes, search_,
                      std::make_shared<const CodedEvents>(std::exchange(events, CodedEvents()))});
  by_offset_.emplace(offset_bytes, std::prev(entries_.end()));
  memory_bytes_ += needed;
}

std::uint64_t ChunkCache::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return memory_bytes_;
}

void ChunkCache::drop_first() {
  memory_bytes_ -= entries_.front().memory_bytes();
  by_offset_.erase(entries_.front().offset_bytes);
  entries_.pop_front();
}

}  // namespace pathspool::spool
