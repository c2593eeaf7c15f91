#include "match/summary_states.h"

#include <algorithm>

namespace pathspool::match {

SummaryStates::SummaryStates(std::span<const FunctionPaths> functions) : functions_(functions) {
  owners_.push_back(FrameStates::kNobody);
  found_begin_.assign(2, 0);
  for (std::uint32_t owner = 0; owner < functions.size(); ++owner) {
    const FunctionPaths& paths = functions[owner];
    firsts_.push_back(static_cast<State>(owners_.size()));
    owners_.resize(owners_.size() + paths.automaton.states(), owner);
    for (State state = 0; state < paths.automaton.states(); ++state) {
      for (const std::uint32_t path : paths.automaton.found(state)) {
        found_.push_back(paths.queries[path]);
      }
      found_begin_.push_back(found_.size());
    }
  }
}

SummaryStates::State SummaryStates::entered(FunctionId function) const {
  const auto at = std::ranges::lower_bound(functions_, function, {}, &FunctionPaths::function);
  if (at == functions_.end() || at->function != function) return kNil;
  return firsts_[static_cast<std::size_t>(at - functions_.begin())] + PathAutomaton::kStart;
}

}  // namespace pathspool::match
