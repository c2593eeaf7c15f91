// Stores a grammar: see symbol_code.h for how.
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
  std::uint32_t block_rules = 4096;
};

// Terminals are the numbers below terminal_measures.size(). Rules get new numbers. Throws Error
// if the grammar derives more than kMostEvents events. O(symbols).
[[nodiscard]] StoredGrammar encode_grammar(const Grammar& grammar,
                                           std::span<const Measure> terminal_measures,
                                           const EncodeLimits& limits = {});

}  // namespace pathspool::grammar
