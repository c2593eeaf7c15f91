// The automata of a search as a scanner of coded events wants them: made once for a search.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "match/search.h"

namespace pathspool::match {

// One open frame of a scan. A row is where a state's transitions begin in the table, so that a
// block costs one dependent load and one addition.
struct ScanFrame {
  std::uint32_t row = 0;
  std::uint32_t paths = FrameStates::kNobody;
};

class ScanTables {
 public:
  // All of one function that the scan of its frames needs.
  struct Function {
    std::array<std::uint32_t, PathAutomaton::kSmallestFlatBlocks> symbols{};  // by short block
    std::uint32_t base = 0;         // the row of its first state
    std::uint32_t final_row = 0;    // rows from here on are of states in which a path ends
    std::uint32_t state_shift = 0;  // rows are 1 << state_shift apart
    std::uint32_t first_state = 0;  // its states are numbered from here on, over all functions
    std::uint32_t longest = 0;
    const PathAutomaton* automaton = nullptr;

    [[nodiscard]] bool has_one_final_state() const {
      return state_of(final_row) + 1 == automaton->states();
    }
    [[nodiscard]] PathAutomaton::State state_of(std::uint32_t row) const {
      return (row - base) >> state_shift;
    }
    [[nodiscard]] std::uint32_t row_of(PathAutomaton::State state) const {
      return base + (state << state_shift);
    }
  };

  // The functions must outlive this object. Throws Error if they have too many states together.
  ScanTables(std::span<const FunctionPaths> functions, std::uint64_t function_count);

  [[nodiscard]] const Function& operator[](std::uint32_t paths) const { return functions_[paths]; }
  [[nodiscard]] std::span<const FunctionPaths> asked() const { return asked_; }
  [[nodiscard]] const std::uint32_t* rows() const { return rows_.data(); }
  // By function id: the frame that entering it opens.
  [[nodiscard]] std::span<const ScanFrame> entered() const { return entered_; }
  [[nodiscard]] std::uint32_t states() const { return states_; }

 private:
  std::span<const FunctionPaths> asked_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> rows_;
  std::vector<ScanFrame> entered_;
  std::uint32_t states_ = 0;
};

}  // namespace pathspool::match
