// What one frame can be in, over all functions that are asked about: their automata's states as one
// set of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "match/search.h"
#include "pathspool/event.h"

namespace pathspool::match {

class SummaryStates {
 public:
  using State = std::uint32_t;
  // A frame of no function that is asked about, or of nobody knows which: the paper's -1. Its
  // blocks leave it as it is.
  static constexpr State kNil = 0;

  explicit SummaryStates(std::span<const FunctionPaths> functions);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(owners_.size()); }

  // What a frame of the function starts in.
  [[nodiscard]] State entered(FunctionId function) const;
  [[nodiscard]] State next(State state, BlockId block) const {
    if (state == kNil) return kNil;
    const std::uint32_t owner = owners_[state];
    const PathAutomaton& automaton = functions_[owner].automaton;
    const State first = firsts_[owner];
    return first + automaton.next(state - first, automaton.symbol_of(block));
  }
  // The queries whose paths end where this state is reached.
  [[nodiscard]] std::span<const std::uint32_t> found(State state) const {
    return std::span(found_).subspan(found_begin_[state],
                                     found_begin_[state + 1] - found_begin_[state]);
  }

  [[nodiscard]] State of(const FrameStates::Frame& frame) const {
    return frame.paths == FrameStates::kNobody ? kNil : firsts_[frame.paths] + frame.state;
  }
  [[nodiscard]] FrameStates::Frame frame(State state) const {
    if (state == kNil) return {};
    return {owners_[state], state - firsts_[owners_[state]]};
  }

 private:
  std::span<const FunctionPaths> functions_;  // by rising id
  std::vector<State> firsts_;                 // by function: its automaton's first state
  std::vector<std::uint32_t> owners_;         // by state: which of the functions
  std::vector<std::uint32_t> found_;
  std::vector<std::size_t> found_begin_;
};

}  // namespace pathspool::match
