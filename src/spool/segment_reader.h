// What every form's reader can do with one segment.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/spool.h"
#include "spool/segment_head.h"

namespace pathspool::spool {

// Yields a segment's events from some index on, a batch at a time.
class SegmentCursor {
 public:
  virtual ~SegmentCursor() = default;
  // The next events, never none before the segment's end. Valid until the next call. Throws Error
  // at corruption, also if there are fewer or more events than the head says.
  [[nodiscard]] virtual std::span<const Event> next() = 0;
};

class SegmentReader {
 public:
  virtual ~SegmentReader() = default;

  [[nodiscard]] virtual const SegmentHead& head() const = 0;
  // The codec or the symbols; the rest is the same for all forms and filled by the caller.
  [[nodiscard]] virtual SegmentInfo info() const = 0;

  // From the segment's event `from` on, below its event count.
  [[nodiscard]] virtual std::unique_ptr<SegmentCursor> events(std::uint64_t from) const = 0;

  // The frames open before the segment's event `index`.
  [[nodiscard]] virtual trace::FrameStack frames_before(std::uint64_t index) const = 0;

  // Verifies all that can be verified without expanding the events. Throws Error.
  virtual void verify() const = 0;
  // And what else a form says of its events, by looking at all of them. Throws Error.
  virtual void verify_expanded() const {}
};

// The chunk that holds the segment's event `index`, and the index of that chunk's first event.
struct ChunkPlace {
  std::size_t chunk = 0;
  std::uint64_t first_event = 0;
};
[[nodiscard]] ChunkPlace chunk_holding(const SegmentFacts& facts, std::uint64_t index);

// A reader for the section, by its form. Throws Error if this version cannot read the form.
[[nodiscard]] std::unique_ptr<SegmentReader> open_segment(const base::InputFile& file,
                                                          Section section,
                                                          std::uint64_t function_count);

}  // namespace pathspool::spool
