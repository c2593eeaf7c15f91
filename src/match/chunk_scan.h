// Scans the coded events of one chunk without decoding them into events, and without knowing how
// far the frames that were open before it had come: so chunks can be scanned in any order, on all
// cores, and what they found is put together afterwards.
//
// A frame that was open before is scanned from the automaton's start. After as many blocks as the
// longest path has, its state is what it would have been anyway: until then its blocks are only
// noted (its opening), and replayed from the true state later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "match/scan_tables.h"
#include "match/search.h"

namespace pathspool::match {

struct ChunkTask {
  base::ByteView bytes;
  std::uint64_t events = 0;       // as many as the chunk must have
  std::uint64_t first_event = 0;  // its index in the stream
  // What the frames from one below the lowest that the chunk closes on belong to, outermost first.
  std::span<const std::uint32_t> entry;
  Wish wish = Wish::first;
  Bounds bounds;
};

// A state in which paths end, and where it was reached.
struct Hit {
  std::uint64_t index = 0;
  FrameStates::Frame frame;
};

// The first blocks in the chunk of a frame that was open before it.
struct Opening {
  struct Block {
    std::uint64_t index = 0;
    PathAutomaton::Symbol symbol = 0;
  };
  std::vector<Block> blocks;  // as many as the longest path has, or fewer
};

struct ChunkFindings {
  std::vector<Hit> hits;              // rising; none if only counts are wished for
  std::vector<std::uint64_t> counts;  // by ScanTables' number of a state; empty if not wished for
  std::vector<Opening> openings;      // of the frames of the task's `entry`
  std::vector<FrameStates::Frame> open;  // the frames now open, from the first of `entry` on
  bool stopped = false;                  // every query has a hit: the rest was not looked at
};

// Throws Error, with no offset, if the bytes are malformed or contradict the task.
[[nodiscard]] ChunkFindings scan_chunk(const ScanTables& tables, const ChunkTask& task);

}  // namespace pathspool::match
