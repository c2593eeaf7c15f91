// The head of a segment: what every form says first.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "pathspool/spool.h"
#include "spool/chunk_facts.h"
#include "spool/contents.h"
#include "spool/section.h"

namespace pathspool::spool {

struct SegmentHead {
  StreamId stream{};
  Form form{};
  std::uint64_t first_event = 0;
  std::uint64_t events = 0;
  SegmentFacts facts;
  std::uint64_t index_bytes = 0;  // facts and index as stored; 0 if there is no index
  base::Bytes form_part;          // what only this form knows
};

[[nodiscard]] base::Bytes encode_segment_head(const SegmentHead& head);

// Throws Error if the head is malformed or contradicts itself.
[[nodiscard]] SegmentHead decode_segment_head(const Section& section, std::uint64_t function_count);

// Only what the table of contents repeats.
[[nodiscard]] SegmentEntry segment_entry(const Section& section);

}  // namespace pathspool::spool
