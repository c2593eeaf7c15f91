// What is asked of a recording, and what is answered: shared by all schemes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/spool.h"

namespace pathspool::match {

// Blocks of one function, one after another in one of its frames. A step is any of its blocks: a
// source line may belong to several.
struct PathQuery {
  FunctionId function{};
  std::vector<std::vector<BlockId>> steps;  // never empty, nor is a step
};

enum class Wish : std::uint8_t { exists, first, count, all };

// Which occurrences count: those whose last block has an index in [from, to). They may begin
// before.
struct Bounds {
  std::uint64_t from = 0;
  std::uint64_t to = Spool::kToTheEnd;
};

// To one query, of one stream. Only what was wished for is filled in.
struct Answer {
  std::optional<std::uint64_t> first;    // exists and first: the lowest index (exists: any)
  std::uint64_t count = 0;               // count
  std::vector<std::uint64_t> positions;  // all: rising
};

// What a search did, for --explain and for tests that it did no more.
struct SearchCost {
  std::uint64_t segments = 0;          // looked into
  std::uint64_t segments_skipped = 0;  // by their facts alone
  std::uint64_t chunks = 0;            // unpacked, or whose part of the start rule was decoded
  std::uint64_t chunks_skipped = 0;
  std::uint64_t rules = 0;           // whose bodies were decoded
  std::uint64_t bytes_read = 0;      // of the file
  std::uint64_t events_scanned = 0;  // one by one; 0 for schemes 2 and 4
};

}  // namespace pathspool::match
