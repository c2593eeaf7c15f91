// The shared memory as one process sees it: where its tables and rings lie in this address space,
// and which ring and chunk an address belongs to.
#pragma once

#include <cstdint>

#include "pathspool/wire/arena.h"

namespace pathspool::runtime {

using wire::Word;

inline std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

inline bool is_full(const Word* cursor) { return (address_of(cursor) & wire::kChunkFullBit) != 0; }

inline std::uint32_t words_before(const Word* cursor) {
  return static_cast<std::uint32_t>((address_of(cursor) & (wire::kChunkBytes - 1)) / sizeof(Word));
}

// The numbers are copied out of the header when it is mapped: what a broken program writes over the
// header later cannot lead this one astray.
class ArenaView {
 public:
  constexpr ArenaView() = default;
  explicit ArenaView(unsigned char* base)
      : base_(base),
        rings_begin_(address_of(base) + header().rings_offset),
        ring_bytes_(header().chunks_per_ring * wire::kChunkBytes),
        rings_end_(rings_begin_ + header().rings * ring_bytes_),
        ring_headers_(base + header().ring_headers_offset),
        rings_(header().rings),
        chunks_per_ring_(header().chunks_per_ring) {}

  wire::ArenaHeader& header() const { return *reinterpret_cast<wire::ArenaHeader*>(base_); }
  wire::ProcessEntry& process(std::uint32_t index) const {
    return reinterpret_cast<wire::ProcessEntry*>(base_ + header().processes_offset)[index];
  }
  wire::ModuleEntry& module(std::uint32_t index) const {
    return reinterpret_cast<wire::ModuleEntry*>(base_ + header().modules_offset)[index];
  }
  wire::RingHeader& ring(std::uint32_t index) const {
    return reinterpret_cast<wire::RingHeader*>(ring_headers_)[index];
  }
  unsigned char* tables() const { return base_ + header().tables_offset; }
  std::uint64_t tables_bytes() const { return header().arena_bytes - header().tables_offset; }

  std::uint32_t rings() const { return rings_; }
  std::uint32_t chunks_per_ring() const { return chunks_per_ring_; }
  std::uint64_t ring_bytes() const { return ring_bytes_; }

  // False for every address of a view that was never mapped.
  bool holds(const Word* cursor) const {
    return address_of(cursor) - rings_begin_ < rings_end_ - rings_begin_;
  }
  std::uint32_t ring_of(const Word* cursor) const {
    return static_cast<std::uint32_t>((address_of(cursor) - rings_begin_) / ring_bytes_);
  }
  std::uint32_t chunk_of(const Word* cursor) const {
    return static_cast<std::uint32_t>((address_of(cursor) - rings_begin_) % ring_bytes_ /
                                      wire::kChunkBytes);
  }
  // `count` chunks after the ring was claimed.
  Word* chunk_start(std::uint32_t ring_index, std::uint32_t count) const {
    return reinterpret_cast<Word*>(rings_begin_ + ring_index * ring_bytes_ +
                                   count % chunks_per_ring_ * wire::kChunkBytes);
  }

 private:
  unsigned char* base_ = nullptr;
  std::uintptr_t rings_begin_ = 0;
  std::uint64_t ring_bytes_ = 0;
  std::uintptr_t rings_end_ = 0;
  unsigned char* ring_headers_ = nullptr;
  std::uint32_t rings_ = 0;
  std::uint32_t chunks_per_ring_ = 0;
};

}  // namespace pathspool::runtime
