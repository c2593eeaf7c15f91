// The automaton that recognises paths of one function in the blocks of one frame: for one path of
// single blocks the KMP automaton of the path-matching paper, section 4.1; for many, that of Aho
// and Corasick; with steps of several blocks, what the subset construction makes of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::match {

class PathAutomaton {
 public:
  using State = std::uint32_t;
  using Symbol = std::uint32_t;  // a class of blocks that no path tells apart
  using Steps = std::vector<std::vector<BlockId>>;

  static constexpr State kStart = 0;
  static constexpr Symbol kOther = 0;  // blocks that are in no path

  // Paths are numbered in this order. Throws Error if the table would have more than kMostEntries.
  explicit PathAutomaton(std::span<const Steps> paths);
  static constexpr std::size_t kMostEntries = std::size_t{1} << 26;

  [[nodiscard]] std::uint32_t states() const { return states_; }
  [[nodiscard]] std::uint32_t symbols() const { return symbols_; }
  [[nodiscard]] Symbol symbol_of(BlockId block) const {
    const auto id = static_cast<std::uint32_t>(block);
    return id < symbol_of_.size() ? symbol_of_[id] : symbol_of_large(id);
  }
  [[nodiscard]] State next(State state, Symbol symbol) const {
    return table_[std::size_t{state} * symbols_ + symbol];
  }
  // The paths that end where this state was reached, rising.
  [[nodiscard]] std::span<const std::uint32_t> found(State state) const {
    return std::span(found_).subspan(found_begin_[state],
                                     found_begin_[state + 1] - found_begin_[state]);
  }
  // Some path ends in exactly the states from this one on.
  [[nodiscard]] State first_final() const { return first_final_; }
  // The steps of the longest path: a state tells nothing of blocks further back.
  [[nodiscard]] std::uint32_t longest() const { return longest_; }
  // By block id, for hot loops: at least of the ids below kSmallestFlatBlocks.
  static constexpr std::uint32_t kSmallestFlatBlocks = 256;
  [[nodiscard]] std::span<const Symbol> flat_symbols() const { return symbol_of_; }
  // The table, states() rows of symbols() entries, for hot loops.
  [[nodiscard]] std::span<const State> table() const { return table_; }

 private:
  [[nodiscard]] Symbol symbol_of_large(std::uint32_t block) const;

  struct LargeBlock {
    std::uint32_t block = 0;
    Symbol symbol = 0;
  };
  std::vector<Symbol> symbol_of_;         // by block id, of the small ids
  std::vector<LargeBlock> large_blocks_;  // by rising id, of the others that are in a path
  std::vector<State> table_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> found_begin_;
  std::uint32_t states_ = 1;
  std::uint32_t symbols_ = 1;
  State first_final_ = 1;
  std::uint32_t longest_ = 0;
};

}  // namespace pathspool::match
