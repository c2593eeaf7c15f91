// A grammar as it lies in a file: a table of what its symbols are, and blocks of bodies and chunks
// of the start rule that decode one by one given the table.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "grammar/measure.h"

namespace pathspool::grammar {

// A piece of the start rule. What is beside the bytes belongs in the directory of the file.
struct StoredChunk {
  base::Bytes bytes;
  std::uint32_t symbol_count = 0;
  Measure measure;
};

struct StoredGrammar {
  base::Bytes symbol_table;
  std::vector<StoredChunk> chunks;
  std::vector<base::Bytes> blocks;
};

}  // namespace pathspool::grammar
