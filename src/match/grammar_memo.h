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
#include <unordered_map>
#include <vector>

#include "base/zeroed_array.h"
#include "match/summary_states.h"

namespace pathspool::match {

// A level below the frame that runs when the symbol begins, the state that it is in then, and the
// block that it runs first in the symbol: its number in FirstBlocks.
struct LevelRead {
  std::uint64_t level = 0;
  SummaryStates::State state = SummaryStates::kNil;
  std::uint8_t first = 0;
};

// What a symbol does depends on the state of a frame only by way of the state after the first block
// that the frame runs in it, and most blocks take most states to the same one. So effects are found
// by the states after these blocks: a few each, where there may be many before.
class FirstBlocks {
 public:
  using State = SummaryStates::State;
  static constexpr std::uint8_t kOther =
      0;  // a block without a number: states stand for themselves

  explicit FirstBlocks(const SummaryStates& states);

  // Numbers are given out as long as there are any.
  [[nodiscard]] std::uint8_t number(BlockId block);
  [[nodiscard]] State after(std::uint8_t first, State state) const {
    return rows_[first * states_.count() + state];
  }

 private:
  static constexpr std::size_t kMost = UINT8_MAX;
  static constexpr std::uint32_t kMostStates = 4096;  // with more, rows would be too long

  const SummaryStates& states_;
  std::vector<State> rows_;  // by number, by state
  std::unordered_map<std::uint32_t, std::uint8_t> numbers_;
};

// Occurrences of one query's path that end in a symbol.
struct Tally {
  std::uint32_t query = 0;
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // in events from the symbol's begin; while it is open, in the stream

  friend bool operator==(const Tally&, const Tally&) = default;
};

struct Effect {
  static constexpr SummaryStates::State kUntouched = UINT32_MAX;
  static constexpr std::uint32_t kAllNil = UINT32_MAX;

  std::uint64_t length = 0;  // events
  std::uint64_t pops = 0;
  std::uint32_t pushes = 0;
  SummaryStates::State kept = kUntouched;          // of the highest frame that stays, afterwards
  std::uint32_t pushed = kAllNil;                  // GrammarMemo::states at, outermost first; or:
  SummaryStates::State top = SummaryStates::kNil;  // if all but the highest that is pushed are nil
  std::uint32_t tallies = 0;                       // GrammarMemo::tallies, 0: there are none
};

// A symbol's root: what it reads first, and what came of the state that was read there last if that
// was all it needed. Small enough that running along a start rule costs a quarter of a cache line a
// symbol; all zeros if the symbol has not been met.
struct MemoSlot {
  enum Reads : std::uint8_t { kUnmet, kNothing, kLevel, kFarLevel };
  static constexpr std::uint32_t kMostLength = (1U << 22) - 1;
  static constexpr std::uint32_t kMostFrames = 15;  // to be read, popped or pushed
  static constexpr std::uint32_t kNone = UINT16_MAX;

  std::uint64_t tallies : 32;  // of a small effect; for a far level, the number of its node;
                               // if the effect is not small, its number
  std::uint64_t length : 22;
  std::uint64_t pops : 4;
  std::uint64_t pushes : 4;
  std::uint64_t state : 16;  // after the first block; none if no effect is here
  std::uint64_t kept : 16;   // none: untouched
  std::uint64_t top : 16;    // of the highest frame that is pushed, if any
  std::uint64_t level : 4;
  std::uint64_t first : 8;  // block
  std::uint64_t reads : 2;
  std::uint64_t is_small : 1;  // below the highest, frames pushed are nobody's; and small numbers
};
static_assert(sizeof(MemoSlot) == 16);

class GrammarMemo {
 public:
  using State = SummaryStates::State;

  // It forgets nothing. When it holds so many bytes it learns no more effects that are large, such
  // as those that leave thousands of frames open; the small ones are what keeps a walk from
  // expanding the trace. Without `with_first` all tallies' firsts are taken for 0, and many symbols
  // have the same tallies.
  GrammarMemo(std::size_t symbols, const SummaryStates& states, std::uint64_t most_bytes,
              bool with_first);

  [[nodiscard]] FirstBlocks& first_blocks() { return first_blocks_; }
  // By what an effect of this slot's symbol is found.
  [[nodiscard]] State key(const MemoSlot& slot, State state) const {
    return first_blocks_.after(static_cast<std::uint8_t>(slot.first), state);
  }

  // Its small effect can be used as it is, if there is one for the state at its level.
  [[nodiscard]] const MemoSlot& slot(std::size_t symbol) const { return slots_[symbol]; }

  void prefetch(std::size_t symbol) const { __builtin_prefetch(&slots_[symbol]); }

  // False if the symbol has not been met with these states. `state_at(level)` tells them; what was
  // asked of it is in `reads` afterwards, if there is an effect.
  template <typename StateAt>
  [[nodiscard]] bool find(std::size_t symbol, const StateAt& state_at,
                          std::vector<LevelRead>& reads, Effect& effect) {
    const MemoSlot& slot = slots_[symbol];
    reads.clear();
    if (slot.reads == MemoSlot::kUnmet) return false;
    if (slot.reads == MemoSlot::kNothing) {
      effect = effect_in(slot);
      return true;
    }
    const std::uint64_t level =
        slot.reads == MemoSlot::kFarLevel ? nodes_[slot.tallies].level : std::uint64_t{slot.level};
    reads.push_back({level, state_at(level), static_cast<std::uint8_t>(slot.first)});
    State read = key(slot, reads.back().state);
    if (read == slot.state) {
      effect = effect_in(slot);
      return true;
    }
    if (const MemoSlot* other = other_slot(symbol, read)) {
      effect = effect_in(*other);
      return true;
    }
    auto from = static_cast<std::uint32_t>(symbol);
    for (;;) {
      const std::uint32_t number = edge(from, read).node;
      if (number == kNone) return false;
      const Node& node = nodes_[number];
      if (node.is_leaf) {
        effect = effects_[node.effect];
        return true;
      }
      reads.push_back({node.level, state_at(node.level), node.first});
      read = first_blocks_.after(node.first, reads.back().state);
      from = static_cast<std::uint32_t>(slots_.size()) + number;
    }
  }

  // Of a symbol that reads one level, with another key than its slot has: a slot for this one, if
  // its effect is small; otherwise none.
  [[nodiscard]] const MemoSlot* other_slot(std::size_t symbol, State state) const {
    for (std::size_t at = hash_of(static_cast<std::uint32_t>(symbol), state);; ++at) {
      const OtherSlot& other = others_[at & (others_.size() - 1)];
      if (other.symbol == kNone) return nullptr;
      if (other.symbol == symbol && other.slot.state == state) return &other.slot;
    }
  }

  // `reads` in the order of the touches: rising levels, the same ones whenever the states are.
  void learn(std::size_t symbol, std::span<const LevelRead> reads, Effect effect,
             std::span<const State> pushed, std::span<const Tally> tallies);

  [[nodiscard]] std::span<const State> states(const Effect& effect) const {
    return std::span(pushed_).subspan(effect.pushed, effect.pushes);
  }
  // By the number of the list; the same tallies have the same number.
  [[nodiscard]] std::span<const Tally> tallies(std::uint32_t list) const {
    return std::span(tallies_).subspan(list_begin_[list],
                                       list_begin_[list + 1] - list_begin_[list]);
  }
  [[nodiscard]] std::size_t lists() const { return list_begin_.size() - 1; }
  [[nodiscard]] std::uint64_t memory_bytes() const;

 private:
  static constexpr State kNoState = UINT32_MAX;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    std::uint64_t level = 0;       // to be read
    std::uint32_t effect = kNone;  // of a leaf
    std::uint8_t first = 0;        // block of the level
    bool is_leaf = false;
  };
  struct OtherSlot {
    std::uint32_t symbol = kNone;
    MemoSlot slot{};
  };
  struct Edge {
    std::uint32_t from = kNone;  // a symbol, or a node's number after those of the symbols
    State state = kNoState;
    std::uint32_t node = kNone;
  };

  [[nodiscard]] bool is_small(const Effect& effect) const;
  [[nodiscard]] Effect effect_in(const MemoSlot& slot) const;
  void fill(MemoSlot& slot, State state, const Effect& effect);
  void add_other(std::uint32_t symbol, const MemoSlot& slot);
  std::uint32_t add_effect(const Effect& effect);
  std::uint32_t list_of(std::span<const Tally> tallies);
  [[nodiscard]] static std::size_t hash_of(std::uint32_t from, State state) {
    constexpr std::uint64_t kMultiplier = 0x9e37'79b9'7f4a'7c15;  // 2^64 / golden ratio
    const std::uint64_t hash = (std::uint64_t{from} << 32 | state) * kMultiplier;
    return hash ^ hash >> 32;
  }
  // Where the edge is, or would be.
  [[nodiscard]] Edge& edge(std::uint32_t from, State state);
  std::uint32_t child(std::uint32_t from, State state);
  void grow_edges();

  FirstBlocks first_blocks_;
  base::ZeroedArray<MemoSlot> slots_;  // by symbol
  std::vector<OtherSlot> others_;      // a hash table, at most half full
  std::size_t other_count_ = 0;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;  // a hash table, at most half full
  std::size_t edge_count_ = 0;
  std::vector<Effect> effects_;
  std::vector<State> pushed_;
  std::vector<Tally> tallies_;
  std::vector<std::uint32_t> list_begin_ = {0, 0};               // the first list is empty
  std::unordered_multimap<std::uint64_t, std::uint32_t> lists_;  // by hash
  std::uint64_t most_bytes_;
  bool with_first_;
};

}  // namespace pathspool::match
