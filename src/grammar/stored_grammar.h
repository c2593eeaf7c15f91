// A grammar as it lies in a file: a symbol table, and blocks that decode one by one given the
// table.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "grammar/measure.h"

namespace pathspool::grammar {

// What is beside the bytes of a chunk or block belongs in the directory of the file.

// A piece of the start rule.
struct StoredChunk {
  base::Bytes bytes;
  std::uint32_t symbol_count = 0;
  Measure measure;
};

// The same, where the bytes are another's.
struct StoredChunkView {
  base::ByteView bytes;
  std::uint32_t symbol_count = 0;
  Measure measure;
};

// The bodies of as many rules, which follow those of the block before.
struct StoredRuleBlock {
  base::Bytes bytes;
  std::uint32_t rule_count = 0;
};

struct StoredGrammar {
  base::Bytes symbol_table;
  std::vector<StoredChunk> chunks;
  std::vector<StoredRuleBlock> blocks;
};

}  // namespace pathspool::grammar
