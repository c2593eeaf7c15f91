#include "match/scan_tables.h"

#include <algorithm>

#include "pathspool/error.h"

namespace pathspool::match {

ScanTables::ScanTables(std::span<const FunctionPaths> functions, std::uint64_t function_count)
    : asked_(functions), functions_(functions.size()), entered_(function_count) {
  std::size_t entries = 0;
  for (const FunctionPaths& paths : functions) {
    entries += std::size_t{paths.automaton.states()} * std::bit_ceil(paths.automaton.symbols());
  }
  if (entries > UINT32_MAX) throw Error("too many paths to be searched at once");
  rows_.reserve(entries);
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const PathAutomaton& automaton = functions[i].automaton;
    Function& function = functions_[i];
    function.automaton = &automaton;
    function.base = static_cast<std::uint32_t>(rows_.size());
    function.state_shift = static_cast<std::uint32_t>(std::bit_width(automaton.symbols() - 1));
    function.first_state = states_;
    function.longest = automaton.longest();
    function.final_row = function.row_of(automaton.first_final());
    std::ranges::copy(automaton.flat_symbols().first(function.symbols.size()),
                      function.symbols.begin());
    const std::size_t stride = std::size_t{1} << function.state_shift;
    for (PathAutomaton::State state = 0; state < automaton.states(); ++state) {
      for (PathAutomaton::Symbol symbol = 0; symbol < automaton.symbols(); ++symbol) {
        rows_.push_back(function.row_of(automaton.next(state, symbol)));
      }
      rows_.resize(function.base + (state + 1) * stride);
    }
    states_ += automaton.states();
    const auto id = static_cast<std::size_t>(functions[i].function);
    if (id < entered_.size()) entered_[id] = {function.row_of(PathAutomaton::kStart), i};
  }
}

}  // namespace pathspool::match
