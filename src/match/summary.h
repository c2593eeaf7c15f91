// What a run of events does to a vector of states, and which occurrences end in it: a function, as
// a value that can be put together from those of its parts.
//
// Section 4.2 of the path-matching paper gives every rule of a grammar such a value, for one path
// and its first occurrence. Its flags are the fields here:
//   fentry, fexit, freturn, fnl   `pops` frames are closed that were open before, `pushed` are
//                                 opened and left open: fentry is pops + 1, fexit pushed.size() +
//                                 1, freturn says that there are pops; fnl is what both reach over
//   prefix, suffix, internal      `touched`, per level and state before: the prefix flag is what
//   the
//                                 events add to a path that had begun, the suffix flag the state
//                                 that they leave, the internal flag that it is the same from every
//                                 state
//   foccur (position)             `Occurrences::first`; and with it the number of them
// concat is Fig. 4: levels are matched up, flags combined per level. Fig. 4 takes an occurrence
// across the seam before one inside the right part; the first is the lesser of the two.
//
// This is the definition, simple and slow. Searches use grammar_walk.h, which tabulates the same
// function only for the states that it meets; tests hold the two together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "match/summary_states.h"
#include "pathspool/event.h"

namespace pathspool::match {

// By query: how many end in the run, and where the first of them does, from the run's begin.
struct Occurrences {
  std::uint64_t count = 0;
  std::uint64_t first = 0;

  friend bool operator==(const Occurrences&, const Occurrences&) = default;
};
using OccurrencesByQuery = std::map<std::uint32_t, Occurrences>;

// `added` lie in a part that begins `offset` events later.
void add_occurrences(OccurrencesByQuery& sum, const OccurrencesByQuery& added,
                     std::uint64_t offset);

struct Summary {
  using State = SummaryStates::State;

  struct Change {
    State after = SummaryStates::kNil;
    OccurrencesByQuery found;

    friend bool operator==(const Change&, const Change&) = default;
  };

  std::uint64_t length = 0;
  std::uint64_t pops = 0;
  std::vector<State> pushed;  // outermost first
  // By level below the frame that runs before, up to level `pops`: what happens by the state that
  // it is in. Levels that no block runs in are left out.
  std::map<std::uint64_t, std::vector<Change>> touched;
  OccurrencesByQuery found;  // whatever the states were before

  // Of no events, of one event, and of many.
  Summary() = default;
  Summary(const Event& event, const SummaryStates& states);
  Summary(std::span<const Event> events, const SummaryStates& states);

  // Replaces the states of known frames, outermost first; below them all are nil.
  [[nodiscard]] OccurrencesByQuery apply(std::vector<State>& frames) const;

  friend bool operator==(const Summary&, const Summary&) = default;
};

// First a, then b. Associative, and the summary of no events is neutral.
[[nodiscard]] Summary concat(const Summary& a, const Summary& b);

}  // namespace pathspool::match
