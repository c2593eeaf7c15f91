#include "match/grammar_memo.h"

#include <algorithm>
#include <utility>

namespace pathspool::match {
namespace {

constexpr std::size_t kAlwaysLearned = 64;

}  // namespace

FirstBlocks::FirstBlocks(const SummaryStates& states) : states_(states) {
  for (State state = 0; state < states.count(); ++state) rows_.push_back(state);
}

std::uint8_t FirstBlocks::number(BlockId block) {
  const auto known = numbers_.find(static_cast<std::uint32_t>(block));
  if (known != numbers_.end()) return known->second;
  if (numbers_.size() + 1 > kMost || states_.count() > kMostStates) return kOther;
  const auto number = static_cast<std::uint8_t>(numbers_.size() + 1);
  numbers_.emplace(static_cast<std::uint32_t>(block), number);
  for (State state = 0; state < states_.count(); ++state) {
    rows_.push_back(states_.next(state, block));
  }
  return number;
}

GrammarMemo::GrammarMemo(std::size_t symbols, const SummaryStates& states, std::uint64_t most_bytes,
                         bool with_first)
    : first_blocks_(states),
      slots_(symbols),
      others_(1024),
      edges_(1024),
      most_bytes_(most_bytes),
      with_first_(with_first) {}

void GrammarMemo::learn(std::size_t symbol, std::span<const LevelRead> reads, Effect effect,
                        std::span<const State> pushed, std::span<const Tally> tallies) {
  constexpr std::size_t kMost = UINT32_MAX - 1;
  const bool is_large = reads.size() + pushed.size() + tallies.size() > kAlwaysLearned;
  if ((is_large && memory_bytes() >= most_bytes_) ||
      nodes_.size() + reads.size() + 1 > kMost - slots_.size() ||
      pushed.size() > kMost - pushed_.size() || tallies.size() > kMost - tallies_.size()) {
    return;
  }
  if (!pushed.empty()) effect.top = pushed.back();
  if (pushed.size() > 1 && std::ranges::any_of(pushed.first(pushed.size() - 1), [](State state) {
        return state != SummaryStates::kNil;
      })) {
    effect.pushed = static_cast<std::uint32_t>(pushed_.size());
    pushed_.insert(pushed_.end(), pushed.begin(), pushed.end());
  }
  effect.tallies = list_of(tallies);

  MemoSlot& slot = slots_[symbol];
  if (reads.empty()) {
    slot.reads = MemoSlot::kNothing;
    fill(slot, SummaryStates::kNil, effect);
    return;
  }
  if (slot.reads == MemoSlot::kUnmet) {
    slot.state = MemoSlot::kNone;
    slot.first = reads.front().first;
    if (reads.front().level <= MemoSlot::kMostFrames) {
      slot.reads = MemoSlot::kLevel;
      slot.level = reads.front().level & MemoSlot::kMostFrames;
    } else {
      slot.reads = MemoSlot::kFarLevel;
      slot.tallies = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({reads.front().level, kNone, reads.front().first, false});
    }
  }
  const State state = key(slot, reads.front().state);
  if (reads.size() == 1 && slot.reads == MemoSlot::kLevel && state < MemoSlot::kNone) {
    if (slot.state == MemoSlot::kNone) {
      fill(slot, state, effect);
      return;
    }
    if (is_small(effect)) {
      MemoSlot other = slot;
      fill(other, state, effect);
      add_other(static_cast<std::uint32_t>(symbol), other);
      return;
    }
  }
  std::uint32_t node = child(static_cast<std::uint32_t>(symbol), state);
  for (const LevelRead& read : reads.subspan(1)) {
    nodes_[node].level = read.level;
    nodes_[node].first = read.first;
    node = child(static_cast<std::uint32_t>(slots_.size()) + node,
                 first_blocks_.after(read.first, read.state));
  }
  nodes_[node] = {0, add_effect(effect), 0, true};
}

std::uint32_t GrammarMemo::list_of(std::span<const Tally> tallies) {
  if (tallies.empty()) return 0;
  constexpr std::uint64_t kMultiplier = 0x9e37'79b9'7f4a'7c15;
  std::vector<Tally> list(tallies.begin(), tallies.end());
  std::uint64_t hash = 0;
  for (Tally& tally : list) {
    if (!with_first_) tally.first = 0;
    hash = (hash ^ tally.query) * kMultiplier;
    hash = (hash ^ tally.count ^ hash >> 32) * kMultiplier;
    hash = (hash ^ tally.first ^ hash >> 32) * kMultiplier;
  }
  const auto [from, to] = lists_.equal_range(hash);
  for (auto at = from; at != to; ++at) {
    if (std::ranges::equal(list, this->tallies(at->second))) return at->second;
  }
  const auto number = static_cast<std::uint32_t>(lists());
  tallies_.insert(tallies_.end(), list.begin(), list.end());
  list_begin_.push_back(static_cast<std::uint32_t>(tallies_.size()));
  lists_.emplace(hash, number);
  return number;
}

bool GrammarMemo::is_small(const Effect& effect) const {
  return effect.pushed == Effect::kAllNil && effect.length <= MemoSlot::kMostLength &&
         effect.pops <= MemoSlot::kMostFrames && effect.pushes <= MemoSlot::kMostFrames &&
         effect.top < MemoSlot::kNone &&
         (effect.kept == Effect::kUntouched || effect.kept < MemoSlot::kNone);
}

Effect GrammarMemo::effect_in(const MemoSlot& slot) const {
  if (slot.is_small == 0) return effects_[slot.tallies];
  Effect effect;
  effect.length = slot.length;
  effect.pops = slot.pops;
  effect.pushes = slot.pushes;
  effect.kept = slot.kept == MemoSlot::kNone ? Effect::kUntouched : static_cast<State>(slot.kept);
  effect.top = slot.top;
  effect.tallies = slot.tallies;
  return effect;
}

void GrammarMemo::fill(MemoSlot& slot, State state, const Effect& effect) {
  slot.state = state & MemoSlot::kNone;
  slot.is_small = is_small(effect) ? 1 : 0;
  if (slot.is_small == 0) {
    slot.tallies = add_effect(effect);
    return;
  }
  slot.tallies = effect.tallies;
  slot.length = effect.length & MemoSlot::kMostLength;
  slot.pops = effect.pops & MemoSlot::kMostFrames;
  slot.pushes = effect.pushes & MemoSlot::kMostFrames;
  slot.kept = effect.kept & MemoSlot::kNone;  // untouched is all ones
  slot.top = effect.top & MemoSlot::kNone;
}

void GrammarMemo::add_other(std::uint32_t symbol, const MemoSlot& slot) {
  const auto put = [this](const OtherSlot& other) {
    std::size_t at = hash_of(other.symbol, static_cast<State>(other.slot.state));
    while (others_[at & (others_.size() - 1)].symbol != kNone) ++at;
    others_[at & (others_.size() - 1)] = other;
  };
  if (2 * ++other_count_ > others_.size()) {
    std::vector<OtherSlot> old(2 * others_.size());
    std::swap(old, others_);
    for (const OtherSlot& other : old) {
      if (other.symbol != kNone) put(other);
    }
  }
  put({symbol, slot});
}

std::uint32_t GrammarMemo::add_effect(const Effect& effect) {
  effects_.push_back(effect);
  return static_cast<std::uint32_t>(effects_.size() - 1);
}

GrammarMemo::Edge& GrammarMemo::edge(std::uint32_t from, State state) {
  for (std::size_t at = hash_of(from, state);; ++at) {
    Edge& found = edges_[at & (edges_.size() - 1)];
    if (found.node == kNone || (found.from == from && found.state == state)) return found;
  }
}

std::uint32_t GrammarMemo::child(std::uint32_t from, State state) {
  if (2 * (edge_count_ + 1) > edges_.size()) grow_edges();
  Edge& found = edge(from, state);
  if (found.node == kNone) {
    found = {from, state, static_cast<std::uint32_t>(nodes_.size())};
    nodes_.emplace_back();
    ++edge_count_;
  }
  return found.node;
}

void GrammarMemo::grow_edges() {
  std::vector<Edge> old(2 * edges_.size());
  std::swap(old, edges_);
  for (const Edge& kept : old) {
    if (kept.node != kNone) edge(kept.from, kept.state) = kept;
  }
}

std::uint64_t GrammarMemo::memory_bytes() const {
  return slots_.bytes() + list_begin_.capacity() * 4 + lists_.size() * 32 +
         nodes_.capacity() * sizeof(Node) + others_.capacity() * sizeof(OtherSlot) +
         edges_.capacity() * sizeof(Edge) + effects_.capacity() * sizeof(Effect) +
         pushed_.capacity() * sizeof(State) + tallies_.capacity() * sizeof(Tally);
}

}  // namespace pathspool::match
