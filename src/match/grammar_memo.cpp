#include "match/grammar_memo.h"

#include <algorithm>
#include <utility>

namespace pathspool::match {
namespace {

constexpr std::size_t kAlwaysLearned = 64;

}  // namespace

GrammarMemo::GrammarMemo(std::size_t symbols, std::uint64_t most_bytes)
    : slots_(symbols), edges_(1024), most_bytes_(most_bytes) {}

void GrammarMemo::learn(std::size_t symbol, std::span<const LevelRead> reads, Effect effect,
                        std::span<const State> pushed, std::span<const Tally> tallies) {
  constexpr std::size_t kMost = UINT32_MAX - 1;
  const bool is_large = reads.size() + pushed.size() + tallies.size() > kAlwaysLearned;
  if ((is_large && memory_bytes() >= most_bytes_) ||
      nodes_.size() + reads.size() + 1 > kMost - slots_.size() ||
      pushed.size() > kMost - pushed_.size() || tallies.size() > kMost - tallies_.size()) {
    return;
  }
  if (std::ranges::any_of(pushed, [](State state) { return state != SummaryStates::kNil; })) {
    effect.pushed = static_cast<std::uint32_t>(pushed_.size());
    pushed_.insert(pushed_.end(), pushed.begin(), pushed.end());
  }
  effect.tallies = static_cast<std::uint32_t>(tallies_.size());
  effect.tally_count = static_cast<std::uint32_t>(tallies.size());
  tallies_.insert(tallies_.end(), tallies.begin(), tallies.end());

  MemoSlot& slot = slots_[symbol];
  if (reads.empty()) {
    slot.level = MemoSlot::kNoLevel;
    keep_in_slot(symbol, SummaryStates::kNil, effect, kNone);
    return;
  }
  if (slot.level == MemoSlot::kUnmet) {
    if (reads.front().level < MemoSlot::kFarLevel) {
      slot.level = static_cast<std::uint8_t>(reads.front().level);
    } else {
      slot.level = MemoSlot::kFarLevel;
      slot.kept = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({reads.front().level, kNone, false});
    }
  }
  if (reads.size() == 1 && slot.level != MemoSlot::kFarLevel) {
    keep_in_slot(symbol, reads.front().state, effect, kNone);
    return;
  }
  std::uint32_t node = child(static_cast<std::uint32_t>(symbol), reads.front().state);
  for (const LevelRead& read : reads.subspan(1)) {
    nodes_[node].level = read.level;
    node = child(static_cast<std::uint32_t>(slots_.size()) + node, read.state);
  }
  nodes_[node] = {0, add_effect(effect), true};
}

bool GrammarMemo::is_small(const Effect& effect) {
  return effect.tally_count == 0 && effect.pushed == Effect::kAllNil &&
         effect.length <= UINT32_MAX && effect.pops <= UINT8_MAX && effect.pushes <= UINT8_MAX;
}

Effect GrammarMemo::effect_in(const MemoSlot& slot) const {
  if (!slot.is_small) return effects_[slot.kept];
  Effect effect;
  effect.length = slot.length;
  effect.pops = slot.pops;
  effect.pushes = slot.pushes;
  effect.kept = slot.kept;
  return effect;
}

void GrammarMemo::keep_in_slot(std::size_t symbol, State state, const Effect& effect,
                               std::uint32_t number) {
  MemoSlot& slot = slots_[symbol];
  if (slot.level == MemoSlot::kFarLevel) return;
  if (slot.state != kNoState) {
    const std::uint32_t node = child(static_cast<std::uint32_t>(symbol), slot.state);
    if (!nodes_[node].is_leaf) {
      nodes_[node] = {0, slot.is_small ? add_effect(effect_in(slot)) : slot.kept, true};
    }
  }
  slot.state = state;
  slot.is_small = is_small(effect);
  if (slot.is_small) {
    slot.length = static_cast<std::uint32_t>(effect.length);
    slot.pops = static_cast<std::uint8_t>(effect.pops);
    slot.pushes = static_cast<std::uint8_t>(effect.pushes);
    slot.kept = effect.kept;
  } else {
    slot.kept = number == kNone ? add_effect(effect) : number;
  }
}

std::uint32_t GrammarMemo::add_effect(const Effect& effect) {
  effects_.push_back(effect);
  return static_cast<std::uint32_t>(effects_.size() - 1);
}

GrammarMemo::Edge& GrammarMemo::edge(std::uint32_t from, State state) {
  constexpr std::uint64_t kMultiplier = 0x9e37'79b9'7f4a'7c15;  // 2^64 / golden ratio
  std::uint64_t hash = (std::uint64_t{from} << 32 | state) * kMultiplier;
  hash ^= hash >> 32;
  for (std::size_t at = hash;; ++at) {
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
  return slots_.capacity() * sizeof(MemoSlot) + nodes_.capacity() * sizeof(Node) +
         edges_.capacity() * sizeof(Edge) + effects_.capacity() * sizeof(Effect) +
         pushed_.capacity() * sizeof(State) + tallies_.capacity() * sizeof(Tally);
}

}  // namespace pathspool::match
