// Decodes chunks of a start rule, several side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/stored_grammar.h"
#include "grammar/symbol_table.h"

namespace pathspool::grammar {

// A symbol has to wait for the one before it: for divisions, and for memory that no cache holds.
// Chunks do not wait for each other. So their symbols are decoded in small stages, each for all
// chunks in turn, and what a stage needs from memory is asked for by the one before.
class ChunkDecoder {
 public:
  explicit ChunkDecoder(const SymbolTable& table) : table_(table) {}

  // Throws Error if a chunk is damaged or does not measure what it should.
  [[nodiscard]] std::vector<std::vector<Symbol>> decode(
      std::span<const StoredChunkView> chunks) const;

 private:
  const SymbolTable& table_;
};

}  // namespace pathspool::grammar
