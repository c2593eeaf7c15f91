#include "match/summary.h"

#include <algorithm>

namespace pathspool::match {

void add_occurrences(OccurrencesByQuery& sum, const OccurrencesByQuery& added,
                     std::uint64_t offset) {
  for (const auto& [query, occurrences] : added) {
    const std::uint64_t first = occurrences.first + offset;
    const auto [at, is_new] = sum.try_emplace(query, Occurrences{0, first});
    at->second.count += occurrences.count;
    at->second.first = std::min(at->second.first, first);
  }
}

Summary::Summary(const Event& event, const SummaryStates& states) : length(1) {
  if (event.kind == EventKind::enter) pushed.push_back(states.entered(event.function()));
  if (event.kind == EventKind::exit) pops = 1;
  if (event.kind != EventKind::block) return;
  std::vector<Change>& changes = touched[0];
  for (State before = 0; before < states.count(); ++before) {
    Change change{states.next(before, event.block_id()), {}};
    for (const std::uint32_t query : states.found(change.after)) change.found[query] = {1, 0};
    changes.push_back(change);
  }
}

Summary::Summary(std::span<const Event> events, const SummaryStates& states) {
  for (const Event& event : events) *this = concat(*this, Summary(event, states));
}

OccurrencesByQuery Summary::apply(std::vector<State>& frames) const {
  OccurrencesByQuery sum = found;
  for (const auto& [level, changes] : touched) {
    if (level >= frames.size()) break;  // a frame that nobody knows
    State& state = frames[frames.size() - 1 - level];
    const Change& change = changes[state];
    state = change.after;
    add_occurrences(sum, change.found, 0);
  }
  frames.resize(frames.size() - std::min<std::size_t>(frames.size(), pops));
  frames.insert(frames.end(), pushed.begin(), pushed.end());
  return sum;
}

Summary concat(const Summary& a, const Summary& b) {
  Summary both = a;
  both.length += b.length;
  add_occurrences(both.found, b.found, a.length);
  for (const auto& [level, changes] : b.touched) {
    if (level < a.pushed.size()) {
      // A frame that a opened: its state is known, and so is what b does to it.
      Summary::State& state = both.pushed[a.pushed.size() - 1 - level];
      add_occurrences(both.found, changes[state].found, a.length);
      state = changes[state].after;
      continue;
    }
    // A frame that was open before both. Only the highest of those that a leaves open can have been
    // touched by a as well.
    std::vector<Summary::Change>& seam = both.touched[a.pops + (level - a.pushed.size())];
    if (seam.empty()) {
      for (Summary::State before = 0; before < changes.size(); ++before) {
        seam.push_back({before, {}});
      }
    }
    for (Summary::Change& change : seam) {
      add_occurrences(change.found, changes[change.after].found, a.length);
      change.after = changes[change.after].after;
    }
  }
  const std::size_t closed = std::min<std::size_t>(both.pushed.size(), b.pops);
  both.pushed.resize(both.pushed.size() - closed);
  both.pops += b.pops - closed;
  both.pushed.insert(both.pushed.end(), b.pushed.begin(), b.pushed.end());
  return both;
}

}  // namespace pathspool::match
