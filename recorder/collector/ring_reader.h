// The collector's end of one ring.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "pathspool/wire/arena.h"
#include "recorder/collector/arena.h"

namespace pathspool::collector {

using ChunkCopy = std::array<wire::Word, wire::kChunkWords>;

// Words are copied out of the shared memory before anyone looks at them: the program could change
// them in between, and has its chunk back sooner.
class RingReader {
 public:
  RingReader(const Arena& arena, std::uint32_t number);

  [[nodiscard]] wire::RingHeader& header() const { return header_; }

  // Chunks published so far. The program says so: no more are ever read than a ring can hold.
  [[nodiscard]] std::uint32_t published() const;
  [[nodiscard]] std::uint32_t drained() const { return drained_; }
  // The program published more than the ring holds: it has written over the ring's header, or the
  // ring's memory. There is no more to be read.
  [[nodiscard]] bool broken() const { return broken_; }

  // The next published chunk, given back to the program full of zeros; none if there is none.
  std::optional<std::span<const wire::Word>> next(ChunkCopy& copy);

  // What a writer that writes no more left in the chunk that it did not publish. To be called when
  // next() finds nothing more.
  std::span<const wire::Word> rest(ChunkCopy& copy);

  // The same where the writer may live: its ring is not changed.
  std::span<const wire::Word> peek_rest(ChunkCopy& copy) const;

  // Gives the ring to whoever wants one. It must have been read to its end.
  void free();

 private:
  const Arena& arena_;
  std::uint32_t number_;
  wire::RingHeader& header_;
  std::uint32_t drained_ = 0;  // the header's copy is for the program
  mutable bool broken_ = false;
};

// Makes the header that of a ring which nobody has.
void reset_ring(wire::RingHeader& header);

}  // namespace pathspool::collector
