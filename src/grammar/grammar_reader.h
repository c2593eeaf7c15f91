// Reads a stored grammar: its symbol table at once, bodies and pieces of the start rule on demand.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "grammar/grammar.h"
#include "grammar/measure.h"
#include "grammar/stored_grammar.h"
#include "grammar/symbol_table.h"

namespace pathspool::grammar {

// Symbols are a terminal's number or a rule's with the top bit; rule 0 is an ordinary rule here,
// and the start rule is the chunks. A body has at least two symbols, refers to rules with lower
// numbers only, and measures what `measure` says, whatever the bytes were. A chain of rules can
// still be as deep as there are rules, so walk it with a stack of your own.
class GrammarReader {
 public:
  using FetchBlock = std::function<base::Bytes(std::uint32_t block)>;

  // How many terminals the table is about; the caller needs as many measures. Throws Error.
  [[nodiscard]] static std::uint32_t terminal_count(base::ByteView symbol_table);

  // `block_rules` says how many rules each block holds. Throws Error if the table is damaged or
  // about another number of terminals or rules. Every terminal derives at least one event.
  GrammarReader(base::ByteView symbol_table, std::vector<Measure> terminal_measures,
                std::span<const std::uint32_t> block_rules, FetchBlock fetch_block);

  // Several chunks in less time than one after another takes: side by side, on one core. Throws
  // Error if any of them is damaged or does not measure what is expected.
  [[nodiscard]] std::vector<std::vector<Symbol>> decode_chunks(
      std::span<const StoredChunkView> chunks) const;

  // Throws Error if the chunk is damaged or does not measure what is expected. Other threads may
  // call this at the same time, but not `body`.
  [[nodiscard]] std::vector<Symbol> decode_chunk(base::ByteView bytes, std::uint32_t symbol_count,
                                                 const Measure& expected) const;

  // Decodes the rule's block when it is first asked for one of its rules; throws Error if that is
  // damaged, and again the next time. The span is valid as long as the reader.
  [[nodiscard]] std::span<const Symbol> body(std::uint32_t rule) {
    if (bodies_[rule].empty()) decode_block_of(rule);
    return bodies_[rule];
  }
  [[nodiscard]] const Measure& measure(Symbol symbol) const { return table_.measure(symbol); }
  [[nodiscard]] std::uint32_t rule_count() const { return table_.rule_count(); }
  [[nodiscard]] std::uint32_t terminal_count() const { return table_.terminal_count(); }
  [[nodiscard]] std::uint32_t blocks_decoded() const { return blocks_decoded_; }
  [[nodiscard]] std::uint32_t rules_decoded() const { return rules_decoded_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  void decode_block_of(std::uint32_t rule);

  SymbolTable table_;
  std::vector<std::uint32_t> block_begin_ = {0};  // first rule of each block, and the end
  FetchBlock fetch_block_;
  std::optional<FinalIndex> final_index_;           // made with the first block
  std::vector<std::vector<Symbol>> block_symbols_;  // by block; empty until decoded
  std::vector<std::span<const Symbol>> bodies_;     // by rule; into block_symbols_
  std::uint32_t blocks_decoded_ = 0;
  std::uint32_t rules_decoded_ = 0;
};

}  // namespace pathspool::grammar
