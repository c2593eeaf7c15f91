// What every form's encoder can do: take a stream's events and give segments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "pathspool/event.h"
#include "pathspool/spool.h"
#include "spool/chunk_facts.h"

namespace pathspool::spool {

struct EncodedSegment {
  SegmentFacts facts;
  base::Bytes form_part;
  std::vector<base::Bytes> blobs;
};

class SegmentEncoder {
 public:
  virtual ~SegmentEncoder() = default;

  // Takes events from the front until the segment should end, and returns how many it took: all of
  // them unless the segment is full. At least one is taken by an encoder that holds none.
  virtual std::size_t append(std::span<const Event> events) = 0;

  [[nodiscard]] virtual bool empty() const = 0;
  // What closing the segment would free. The stack of open frames is not in it: it stays.
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;

  // The segment of everything appended so far. The next event begins a new one, in the frames now
  // open.
  [[nodiscard]] virtual EncodedSegment finish() = 0;
};

}  // namespace pathspool::spool
