// Stores a grammar: see grammar_model.h for how.
#pragma once

#include <cstdint>
#include <span>

#include "grammar/grammar.h"
#include "grammar/measure.h"
#include "grammar/stored_grammar.h"

namespace pathspool::grammar {

struct EncodeLimits {
  std::uint32_t max_chunks = 128;
  std::uint32_t min_chunk_symbols = 1024;
  std::uint32_t block_symbols = 4096;  // a block ends after the rule that reaches this
};

// Terminals are the numbers below terminal_measures.size(). Rules get new numbers. Throws Error
// if the grammar derives more than kMostEvents events. O(symbols), about 100 ns each.
[[nodiscard]] StoredGrammar encode_grammar(const Grammar& grammar,
                                           std::span<const Measure> terminal_measures,
                                           const EncodeLimits& limits = {});

}  // namespace pathspool::grammar
