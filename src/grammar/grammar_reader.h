// Reads a stored grammar: what its symbols are at once, bodies and pieces of the start rule on
// demand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/ans_decoder.h"
#include "base/bytes.h"
#include "base/zeroed_array.h"
#include "grammar/body_block.h"
#include "grammar/grammar.h"
#include "grammar/measure.h"
#include "grammar/symbol_code.h"

namespace pathspool::grammar {

// Symbols are a terminal's number or a rule's with the top bit; rule 0 is an ordinary rule here,
// and the start rule is the chunks. Whatever the bytes were, every symbol that is handed out exists
// and a body has two or more of them. That no rule derives itself is known of those that have been
// measured; a chain of rules can still be as deep as there are rules, so walk it with a stack of
// your own.
class GrammarReader {
 public:
  using FetchBlock = std::function<base::Bytes(std::uint32_t block)>;

  // How many terminals the table is about; the caller needs as many measures. Throws Error.
  [[nodiscard]] static std::uint32_t terminal_count(base::ByteView symbol_table);

  // Blocks of bodies are fetched when they are needed; `block_bytes` says how long each is. Throws
  // Error if the table is damaged or about another number of terminals, chunks or blocks. Every
  // terminal derives at least one event.
  GrammarReader(base::ByteView symbol_table, std::vector<Measure> terminal_measures,
                std::size_t chunk_count, std::span<const std::uint64_t> block_bytes,
                FetchBlock fetch_block);

  // Throws Error if the chunk is damaged. Other threads may call this at the same time.
  [[nodiscard]] std::vector<Symbol> decode_chunk(std::size_t chunk, base::ByteView bytes,
                                                 std::uint32_t symbol_count) const;

  // Unpacked when it is first asked for. Throws Error if the block that it is in turns out damaged,
  // and again the next time. The span is valid as long as the reader.
  [[nodiscard]] std::span<const Symbol> body(std::uint32_t rule) {
    if (bodies_[rule].symbols == nullptr) unpack(rule);
    return {bodies_[rule].symbols, bodies_[rule].size};
  }
  // Of a rule, it is found by way of everything that it derives when it is first asked for. Throws
  // Error if something there is damaged, if a rule derives itself or too many events.
  [[nodiscard]] const Measure& measure(Symbol symbol) {
    if (!is_rule(symbol)) return terminals_[symbol];
    const std::uint32_t rule = rule_index(symbol);
    if (measures_[rule].length == 0) measure_rule(rule);
    return measures_[rule];
  }
  // Of all of them, one after another.
  [[nodiscard]] Measure measure(std::span<const Symbol> symbols);

  [[nodiscard]] std::uint32_t rule_count() const { return rule_count_; }
  [[nodiscard]] std::uint32_t terminal_count() const {
    return static_cast<std::uint32_t>(terminals_.size());
  }
  [[nodiscard]] std::uint32_t blocks_read() const { return blocks_read_; }
  [[nodiscard]] std::uint32_t rules_unpacked() const { return rules_unpacked_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  // The symbols that a code stands for: `choice` of them, from `first`.
  struct Range {
    base::EvenChoice choice;
    std::uint32_t first = 0;  // a symbol; for terminals, in by_class_
    bool is_rules = false;
  };
  using Ranges = std::array<Range, kSymbolCodes>;
  struct Body {
    const Symbol* symbols;
    std::uint32_t size;
  };

  void read_table(base::ByteView symbol_table, std::size_t chunk_count,
                  std::span<const std::uint64_t> block_bytes);
  void read_terminals(base::ByteView coded, const base::AnsShares& codes);
  [[nodiscard]] Symbol symbol_of(std::uint32_t number) const;
  void unpack(std::uint32_t rule);
  [[nodiscard]] const BodyBlock& block(std::uint32_t number);
  [[nodiscard]] Symbol* room_for(std::uint32_t symbols);
  void measure_rule(std::uint32_t rule);

  std::vector<Measure> terminals_;
  std::uint32_t rule_count_ = 0;
  std::uint32_t block_rules_ = 1;
  FetchBlock fetch_block_;

  ClassCounts rules_in_{};
  ClassCounts first_rule_{};
  std::vector<ClassCounts> known_;  // by chunk: how many rules of each class are known before it
  std::vector<Symbol> by_class_;    // the terminals
  Ranges ranges_;                   // by code
  base::AnsTable start_codes_;
  NumberWidths widths_;
  std::uint32_t top_rules_ = 0;  // that come before the terminals in the row of all symbols

  std::vector<BodyBlock> blocks_;
  base::ZeroedArray<Body> bodies_;                   // by rule; none until unpacked
  base::ZeroedArray<Measure> measures_;              // by rule; of length 0 until measured
  std::vector<std::unique_ptr<Symbol[]>> unpacked_;  // where bodies are
  std::uint32_t room_ = 0;                           // left in the last of them
  Symbol* next_ = nullptr;
  std::uint64_t unpacked_symbols_ = 0;
  std::uint32_t blocks_read_ = 0;
  std::uint32_t rules_unpacked_ = 0;
};

}  // namespace pathspool::grammar
