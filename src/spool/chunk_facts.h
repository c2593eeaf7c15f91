// What is known of each chunk of a segment without unpacking it, and the index over chunks.
//
// A chunk is a compressed run of events (form `chunks`) or a run of the start rule's symbols (form
// `grammar`): the facts are the same, and so is the index, the one of sections 4.3 and 4.4 of the
// path-matching paper.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "pathspool/event.h"
#include "trace/frame_stack.h"

namespace pathspool::spool {

struct ChunkFacts {
  std::uint64_t events = 0;
  std::int64_t entry_depth = 0;             // frames open before the chunk's first event
  std::int64_t exit_depth = 0;              // and after its last
  std::optional<std::int64_t> lowest_exit;  // the lowest level that an exit in the chunk closes
  std::vector<FunctionId>
      opened;  // the functions of the frames opened in the chunk and still open after

  // Frames below this level are the same before and after the chunk.
  [[nodiscard]] std::int64_t kept_below() const {
    return lowest_exit && *lowest_exit < entry_depth ? *lowest_exit : entry_depth;
  }

  friend bool operator==(const ChunkFacts&, const ChunkFacts&) = default;
};

// Chunks first, first + 1, .. last.
struct ChunkRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  friend bool operator==(const ChunkRun&, const ChunkRun&) = default;
};

// For each function the chunks that hold an `enter` or a block of it: the paper's bit vectors, as
// runs of ones, which is what keeps both the sparse and the full ones small.
class ChunkIndex {
 public:
  // Functions come by rising id, each with its runs in rising order, never touching.
  void add(FunctionId function, std::span<const ChunkRun> runs) {
    functions_.push_back(function);
    runs_.insert(runs_.end(), runs.begin(), runs.end());
    ends_.push_back(runs_.size());
  }

  // None if the function has no event in the segment.
  [[nodiscard]] std::span<const ChunkRun> runs_of(FunctionId function) const;

  friend bool operator==(const ChunkIndex&, const ChunkIndex&) = default;

 private:
  std::vector<FunctionId> functions_;
  std::vector<std::size_t> ends_;  // in runs_, of each function
  std::vector<ChunkRun> runs_;
};

// Everything that a segment's head says of its events.
struct SegmentFacts {
  trace::FrameStack entry;              // the frames open at the segment's start
  std::optional<std::int64_t> deepest;  // the highest level of a frame entered in the segment
  std::vector<FunctionId> functions;    // that have an event in the segment, by rising id
  std::vector<ChunkFacts> chunks;
  std::optional<ChunkIndex> index;

  [[nodiscard]] std::uint64_t events() const;
  // The frames open before chunk `chunk`'s first event.
  [[nodiscard]] trace::FrameStack frames_before(std::size_t chunk) const;
};

// No trace nests deeper, so that whoever follows the frames needs a bounded stack.
inline constexpr std::size_t kMostFrames = std::size_t{1} << 25;

// Gathers the facts of a segment from its events, in order.
class FactsBuilder {
 public:
  explicit FactsBuilder(trace::FrameStack entry);

  // Throws Error if more than kMostFrames frames are open after it.
  void add(std::span<const Event> events);
  void close_chunk();

  [[nodiscard]] const trace::FrameStack& frames() const { return frames_; }
  // Without the frames, which outlive the segment.
  [[nodiscard]] std::uint64_t memory_bytes() const;

  // The facts so far; what goes on starts a new segment from the frames now open.
  [[nodiscard]] SegmentFacts finish();

 private:
  void begin_chunk();
  void mark(FunctionId function);

  trace::FrameStack frames_;
  SegmentFacts facts_;
  ChunkFacts chunk_;
  std::int64_t lowest_exit_ = 0;
  std::int64_t deepest_ = 0;
  bool running_is_marked_ = false;
  std::vector<std::vector<ChunkRun>> runs_;
  std::uint64_t run_count_ = 0;
  std::uint64_t opened_count_ = 0;
};

// The facts and the index as bytes. The index is apart, so that `--no-index` leaves just it out.
void write_facts(base::ByteWriter& writer, const SegmentFacts& facts);
void write_index(base::ByteWriter& writer, const SegmentFacts& facts);

// Fail the reader if the bytes are malformed or contradict themselves.
[[nodiscard]] SegmentFacts read_facts(base::ByteReader& reader, std::uint64_t function_count,
                                      std::uint64_t most_chunks);
[[nodiscard]] ChunkIndex read_index(base::ByteReader& reader, const SegmentFacts& facts);

}  // namespace pathspool::spool
