#include "spool/segment_reader.h"

#include <fmt/core.h>

#include "pathspool/error.h"
#include "spool/chunks_reader.h"
#include "spool/grammar_segment_reader.h"

namespace pathspool::spool {

ChunkPlace chunk_holding(const SegmentFacts& facts, std::uint64_t index) {
  ChunkPlace place;
  while (index - place.first_event >= facts.chunks[place.chunk].events) {
    place.first_event += facts.chunks[place.chunk].events;
    ++place.chunk;
  }
  return place;
}

std::unique_ptr<SegmentReader> open_segment(const base::InputFile& file, Section section,
                                            std::uint64_t function_count) {
  SegmentHead head = decode_segment_head(section, function_count);
  switch (head.form) {
    case Form::chunks:
      return std::make_unique<ChunksReader>(file, std::move(section), std::move(head),
                                            function_count);
    case Form::grammar:
      return std::make_unique<GrammarSegmentReader>(file, std::move(section), std::move(head),
                                                    function_count);
    case Form::bits:
    case Form::columns:
      break;
  }
  throw Error(fmt::format("this version cannot read form {} of a segment",
                          static_cast<unsigned>(head.form)),
              section.ref.offset_bytes);
}

}  // namespace pathspool::spool
