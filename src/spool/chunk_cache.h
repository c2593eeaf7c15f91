// Unpacked chunks of an open file, kept for the next search: whoever asks again and again does not
// pay for unpacking again (the path-matching paper, end of section 5.2).
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "spool/coded_events.h"

namespace pathspool::spool {

// Any thread may call anything at any time. Chunks are known by their offsets in the file.
//
// What was used longest ago goes first, but a search never drives out what it has used itself: one
// that goes through more than there is room for, again and again, would otherwise never meet a
// chunk that it kept.
class ChunkCache {
 public:
  using Chunk = std::shared_ptr<const CodedEvents>;

  // Bounds are on all that is kept; what is too much is dropped at once.
  void begin_search(std::uint64_t most_bytes);
  void set_bound(std::uint64_t most_bytes);

  // None if it is not kept.
  [[nodiscard]] Chunk find(std::uint64_t offset_bytes);
  // Takes the events if there is room for them, and leaves none; otherwise they stay as they are.
  void offer(std::uint64_t offset_bytes, CodedEvents& events);

  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  struct Entry {
    std::uint64_t offset_bytes = 0;
    std::uint64_t search = 0;  // that used it last
    Chunk chunk;

    [[nodiscard]] std::uint64_t memory_bytes() const { return room_for(*chunk); }
  };
  // What a chunk takes, with its share of the list and the map.
  static std::uint64_t room_for(const CodedEvents& events) { return events.memory_bytes() + 192; }
  void drop_first();

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // what was used last comes last
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> by_offset_;
  std::uint64_t search_ = 0;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t memory_bytes_ = 0;
};

}  // namespace pathspool::spool
