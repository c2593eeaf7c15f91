// What a symbol of a grammar does to frames in known states, remembered.
//
// A symbol's summary (summary.h) is a function of the states of the frames that it touches. Most
// symbols are met with one or two combinations of states, so the function is tabulated only where
// it is asked: a symbol's memo is a tree that reads the state of one level after another, in the
// order in which the symbol touches them, down to an effect. A symbol that touches no frame of its
// caller has one effect, whatever the states are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "match/summary_states.h"

namespace pathspool::match {

// A level below the frame that runs when the symbol begins, and the state that it is in then.
struct LevelRead {
  std::uint64_t level = 0;
  SummaryStates::State state = SummaryStates::kNil;
};

// Occurrences of one query's path that end in a symbol.
struct Tally {
  std::uint32_t query = 0;
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // in events from the symbol's begin; while it is open, in the stream
};

struct Effect {
  static constexpr SummaryStates::State kUntouched = UINT32_MAX;
  static constexpr std::uint32_t kAllNil = UINT32_MAX;

  std::uint64_t length = 0;  // events
  std::uint64_t pops = 0;
  std::uint32_t pushes = 0;
  SummaryStates::State kept = kUntouched;  // of the highest frame that stays, afterwards
  std::uint32_t pushed = kAllNil;          // GrammarMemo::states at, outermost first
  std::uint32_t tallies = 0;               // GrammarMemo::tallies from
  std::uint32_t tally_count = 0;
};

class GrammarMemo {
 public:
  using State = SummaryStates::State;

  // It forgets nothing. When it holds so many bytes it learns no more effects that are large, such
  // as those that leave thousands of frames open; the small ones are what keeps a walk from
  // expanding the trace.
  GrammarMemo(std::size_t symbols, std::uint64_t most_bytes);

  // None if the symbol has not been met with these states. `state_at(level)` tells them; what was
  // asked of it is in `reads` afterwards, if there is an effect.
  template <typename StateAt>
  [[nodiscard]] const Effect* find(std::size_t symbol, const StateAt& state_at,
                                   std::vector<LevelRead>& reads) {
    Slot& slot = slots_[symbol];
    reads.clear();
    if (slot.level == kNoLevel) return &effects_[slot.effect];
    if (slot.level == kUnmet) return nullptr;
    const State state = state_at(slot.level);
    reads.push_back({slot.level, state});
    if (state == slot.state) return &effects_[slot.effect];
    return find_further(symbol, state_at, reads);
  }

  // `reads` in the order of the touches: rising levels, the same ones whenever the states are.
  void learn(std::size_t symbol, std::span<const LevelRead> reads, Effect effect,
             std::span<const State> pushed, std::span<const Tally> tallies);

  [[nodiscard]] std::span<const State> states(const Effect& effect) const {
    return std::span(pushed_).subspan(effect.pushed, effect.pushes);
  }
  [[nodiscard]] std::span<const Tally> tallies(const Effect& effect) const {
    return std::span(tallies_).subspan(effect.tallies, effect.tally_count);
  }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  static constexpr std::uint64_t kNoLevel = UINT64_MAX;    // an effect: there is nothing to read
  static constexpr std::uint64_t kUnmet = UINT64_MAX - 1;  // nothing is known yet
  static constexpr State kNoState = UINT32_MAX;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // A symbol's root: the level it reads first, and what came of the last state read there if that
  // was all it needed.
  struct Slot {
    std::uint64_t level = kUnmet;
    State state = kNoState;
    std::uint32_t effect = kNone;
  };
  struct Node {
    std::uint64_t level = kUnmet;
    std::uint32_t effect = kNone;
  };
  struct Edge {
    std::uint32_t from = kNone;  // a symbol, or a node's number after those of the symbols
    State state = kNoState;
    std::uint32_t node = kNone;
  };

  template <typename StateAt>
  const Effect* find_further(std::size_t symbol, const StateAt& state_at,
                             std::vector<LevelRead>& reads) {
    auto from = static_cast<std::uint32_t>(symbol);
    for (;;) {
      const State state = reads.back().state;
      const std::uint32_t number = edge(from, state).node;
      if (number == kNone) return nullptr;
      const Node& node = nodes_[number];
      if (node.level == kNoLevel) {
        if (from == symbol) {
          slots_[symbol].state = state;
          slots_[symbol].effect = node.effect;
        }
        return &effects_[node.effect];
      }
      reads.push_back({node.level, state_at(node.level)});
      from = static_cast<std::uint32_t>(slots_.size()) + number;
    }
  }
  // Where the edge is, or would be.
  Edge& edge(std::uint32_t from, State state);
  std::uint32_t child(std::uint32_t from, State state);
  void grow_edges();

  std::vector<Slot> slots_;  // by symbol
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // a hash table, at most half full
  std::size_t edge_count_ = 0;
  std::vector<Effect> effects_;
  std::vector<State> pushed_;
  std::vector<Tally> tallies_;
  std::uint64_t most_bytes_;
};

}  // namespace pathspool::match
