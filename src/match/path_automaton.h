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

  // Paths are numbered in this order.
  explicit PathAutomaton(std::span<const Steps> paths);

  [[nodiscard]] std::uint32_t states() const;
  [[nodiscard]] std::uint32_t symbols() const;
  [[nodiscard]] Symbol symbol_of(BlockId block) const;
  [[nodiscard]] State next(State state, Symbol symbol) const;
  // The paths that end where this state was reached, rising.
  [[nodiscard]] std::span<const std::uint32_t> found(State state) const;
  // The table, states() rows of symbols() entries, for hot loops.
  [[nodiscard]] std::span<const State> table() const;

 private:
  std::vector<std::vector<BlockId>> classes_;
  std::vector<Symbol> symbol_of_;  // by block id
  std::vector<State> table_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> found_begin_;
  std::uint32_t symbols_ = 1;
};

}  // namespace pathspool::match
