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
      nodes_.size() + reads.size() > kMost - slots_.size() ||
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
  const auto number = static_cast<std::uint32_t>(effects_.size());
  effects_.push_back(effect);

  Slot& slot = slots_[symbol];
  if (reads.empty()) {
    slot.level = kNoLevel;
    slot.effect = number;
    return;
  }
  slot.level = reads.front().level;
  std::uint32_t node = child(static_cast<std::uint32_t>(symbol), reads.front().state);
  for (const LevelRead& read : reads.subspan(1)) {
    nodes_[node].level = read.level;
    node = child(static_cast<std::uint32_t>(slots_.size()) + node, read.state);
  }
  nodes_[node] = {kNoLevel, number};
  if (reads.size() == 1) {
    slot.state = reads.front().state;
    slot.effect = number;
  }
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
  return slots_.capacity() * sizeof(Slot) + nodes_.capacity() * sizeof(Node) +
         edges_.capacity() * sizeof(Edge) + effects_.capacity() * sizeof(Effect) +
         pushed_.capacity() * sizeof(State) + tallies_.capacity() * sizeof(Tally);
}

}  // namespace pathspool::match
