#include "grammar/sequitur.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace pathspool::grammar {

namespace {

constexpr std::uint64_t kFirstNodes = 1024;
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 30;
// A cascade takes two nodes for each rule it makes; deeper ones than this are very rare.
constexpr std::uint64_t kRoomForACascade = 64;
constexpr std::uint32_t kNumbered = 0x8000'0000;

constexpr std::uint64_t grown(std::uint64_t nodes) { return nodes + nodes / 2; }

}  // namespace

Sequitur::Sequitur() { reset(); }

void Sequitur::reset() {
  table_.clear();
  pending_.clear();
  used_nodes_ = 0;
  free_list_ = kStart;
  live_nodes_ = 0;
  appended_ = 0;
  held_ = kStart;
  rules_ = 1;
  const NodeIndex start = allocate(kGuardBit);
  PATHSPOOL_CHECK(start == kStart);
  link(start, start);
}

// The stack of pending checks is left out: it is a few entries.
std::uint64_t Sequitur::memory_bytes() const { return nodes_.bytes() + table_.bytes(); }

std::uint64_t Sequitur::memory_bytes_after_growth() const {
  const std::uint64_t available = nodes_.size() - live_nodes_;
  const std::uint64_t nodes =
      available < kRoomForACascade ? grown(nodes_.size()) : std::uint64_t{nodes_.size()};
  return nodes * sizeof(Node) + table_.bytes_for(digram_bound());
}

// ---- nodes

void Sequitur::grow_nodes() {
  if (nodes_.size() >= kMostNodes) throw std::bad_alloc();
  nodes_.resize(std::clamp(grown(nodes_.size()), kFirstNodes, kMostNodes));
  nodes_.prefer_huge_pages();
}

inline Sequitur::NodeIndex Sequitur::allocate(Symbol value) {
  NodeIndex node = free_list_;
  if (node != kStart) {
    free_list_ = nodes_[node].next;
  } else {
    if (used_nodes_ == nodes_.size()) [[unlikely]]
      grow_nodes();
    node = used_nodes_++;
  }
  ++live_nodes_;
  nodes_[node].value = value;
  nodes_[node].state = kUnlisted;
  return node;
}

// The caller has forgotten the node's digram and unlinked it.
inline void Sequitur::release(NodeIndex node) {
  nodes_[node].next = free_list_;
  nodes_[node].value = kFreeValue;
  nodes_[node].state = kUnlisted;
  free_list_ = node;
  --live_nodes_;
}

// As release, and one use of its rule fewer.
inline void Sequitur::release_use(NodeIndex node) {
  const Symbol value = nodes_[node].value;
  if (is_rule(value)) --nodes_[rule_index(value)].state;
  release(node);
}

Sequitur::NodeIndex Sequitur::push_back(Symbol value) {
  const NodeIndex node = allocate(value);
  if (is_rule(value)) ++nodes_[rule_index(value)].state;
  link(nodes_[kStart].prev, node);
  link(node, kStart);
  return node;
}

// The rule whose whole right-hand side is the digram at `first`, or kStart. (The start rule itself
// never equals a digram found elsewhere: what contains that would have to contain itself.)
inline Sequitur::NodeIndex Sequitur::whole_rule(NodeIndex first) const {
  const NodeIndex before = nodes_[first].prev;
  const NodeIndex after = nodes_[nodes_[first].next].next;
  return before == after ? before : kStart;  // a ring of three, whose third node is the guard
}

// ---- digrams

inline Sequitur::NodeIndex Sequitur::find_owner(std::uint32_t hash, Symbol first,
                                                Symbol second) const {
  return table_.find(hash, [&](NodeIndex node) {
    return nodes_[node].value == first && nodes_[nodes_[node].next].value == second;
  });
}

inline void Sequitur::list(NodeIndex node, std::uint32_t hash) {
  table_.insert(hash, node);
  nodes_[node].state = kOwner;
}

void Sequitur::hand_over(std::uint32_t hash, NodeIndex owner, NodeIndex new_owner) {
  table_.replace(hash, owner, new_owner);
  nodes_[owner].state = kUnlisted;
  nodes_[new_owner].state = kOwner;
}

inline void Sequitur::make_pending(NodeIndex node) {
  nodes_[node].state = kPending;
  pending_.push_back(node);
}

// To be called while the digram at `node` still stands and is about to be destroyed.
inline void Sequitur::forget(NodeIndex node) {
  if (nodes_[node].state == kOwner) {
    table_.erase(hash_at(node), node);
    if (nodes_[node].value == nodes_[nodes_[node].next].value) wake_overlapping(node);
  }
  nodes_[node].state = kUnlisted;
}

inline void Sequitur::forget_before(NodeIndex node) {
  const NodeIndex before = nodes_[node].prev;
  if (!is_guard(before)) forget(before);
}

// An owner in a run such as aaa goes: an equal digram that overlapped it has to come forward.
void Sequitur::wake_overlapping(NodeIndex node) {
  const Symbol value = nodes_[node].value;
  const NodeIndex before = nodes_[node].prev;
  const NodeIndex after = nodes_[node].next;
  if (nodes_[before].value == value && nodes_[before].state == kUnlisted) make_pending(before);
  if (nodes_[nodes_[after].next].value == value && nodes_[after].state == kUnlisted) {
    make_pending(after);
  }
}

// To be called when all links of a step are made, for each node whose digram is new.
void Sequitur::mark(NodeIndex node) {
  if (nodes_[node].state == kUnlisted && !is_guard(nodes_[node].next)) make_pending(node);
}

inline void Sequitur::mark_before(NodeIndex node) {
  const NodeIndex before = nodes_[node].prev;
  if (!is_guard(before)) mark(before);
}

// Before anything but the fast path of append looks into the table.
inline void Sequitur::unhold() {
  if (held_ != kStart) {
    make_pending(held_);
    held_ = kStart;
  }
}

// ---- the algorithm

void Sequitur::append(std::uint32_t terminal) {
  PATHSPOOL_CHECK(terminal < kGuardBit);
  ++appended_;
  table_.reserve(digram_bound());
  // While the last symbol and the incoming one are the whole of a rule, that rule becomes the
  // incoming symbol. No node is made for it and it is not counted as a use until it stays.
  Symbol incoming = terminal;
  for (;;) {
    const NodeIndex last = nodes_[kStart].prev;
    if (last == kStart) {
      push_back(incoming);
      return;
    }
    const Symbol value = nodes_[last].value;
    const std::uint32_t hash = digram_hash(value, incoming);
    const NodeIndex owner = find_owner(hash, value, incoming);
    if (owner == kStart) {
      push_back(incoming);
      if (held_ != kStart) {
        list(held_, held_hash_);
        const bool overlaps = value == incoming && nodes_[held_].value == value;
        held_ = kStart;
        if (overlaps) return;
      }
      held_ = last;
      held_hash_ = hash;
      return;
    }
    const NodeIndex rule = whole_rule(owner);
    if (rule == kStart) {
      push_back(incoming);
      unhold();
      if (nodes_[owner].next == last) {
        make_pending(last);
      } else {
        match(last, owner);
      }
      settle();
      return;
    }
    if (held_ != kStart) {
      held_ = kStart;
    } else {
      forget_before(last);
    }
    link(nodes_[last].prev, kStart);
    release_use(last);
    incoming = rule_symbol(rule);
    if (uses(value) == 1) inline_rule(owner);
    if (!pending_.empty()) [[unlikely]] {
      mark_before(push_back(incoming));
      settle();
      return;
    }
  }
}

// Between two checks every rule is used twice and has two symbols, every digram that is not pending
// is unique, and the table is exact; so a check may do anything to the nodes of the others. One
// that is released or forgotten meanwhile is no longer kPending, or has come back as a guard.
void Sequitur::settle() {
  while (!pending_.empty()) {
    const NodeIndex node = pending_.back();
    pending_.pop_back();
    if (nodes_[node].state == kPending && !is_guard(node)) check(node);
  }
}

void Sequitur::check(NodeIndex node) {
  nodes_[node].state = kUnlisted;
  const NodeIndex second = nodes_[node].next;
  if (is_guard(second)) return;
  const std::uint32_t hash = hash_at(node);
  NodeIndex owner = find_owner(hash, nodes_[node].value, nodes_[second].value);
  if (owner == kStart) {
    if (nodes_[second].next == kStart && pending_.empty()) {
      held_ = node;
      held_hash_ = hash;
    } else {
      list(node, hash);
    }
    return;
  }
  const bool overlaps = second == owner || nodes_[owner].next == node;
  if (overlaps && !step_over_run(node, owner, hash)) return;
  match(node, owner);
}

// The digram aa at `node` overlaps its owner. In a run of four, the one on the other side of the
// owner is equal and apart: makes that the owner.
bool Sequitur::step_over_run(NodeIndex node, NodeIndex& owner, std::uint32_t hash) {
  const Symbol value = nodes_[node].value;
  NodeIndex other;
  if (nodes_[owner].next == node) {
    other = nodes_[owner].prev;
    if (nodes_[other].value != value) return false;
  } else {
    other = nodes_[owner].next;
    if (nodes_[nodes_[other].next].value != value) return false;
  }
  hand_over(hash, owner, other);
  owner = other;
  return true;
}

// Equal digrams apart from each other; the one at `owner` is in the table, the other is unlisted.
void Sequitur::match(NodeIndex node, NodeIndex owner) {
  const NodeIndex owner_rule = whole_rule(owner);
  const NodeIndex node_rule = whole_rule(node);
  if (owner_rule != kStart && node_rule != kStart) {
    merge_rule(node, owner);
  } else if (owner_rule != kStart) {
    substitute(node, owner_rule);
    inline_used_once(owner);
  } else if (node_rule != kStart) {
    hand_over(hash_at(owner), owner, node);
    substitute(owner, node_rule);
    inline_used_once(node);
  } else {
    // A new rule for the digram would leave a rule that is used nowhere else with one use, to be
    // inlined at once. That amounts to extending it.
    const bool first_extends = uses(nodes_[node].value) == 2;
    const bool second_extends = uses(nodes_[nodes_[node].next].value) == 2;
    if (first_extends && second_extends) {
      fuse(node, owner);
    } else if (first_extends) {
      extend_right(node, owner);
    } else if (second_extends) {
      extend_left(node, owner);
    } else {
      create_rule(node, owner);
    }
  }
}

// The nodes at `owner` become the rule's right-hand side and the digram keeps its owner.
void Sequitur::create_rule(NodeIndex node, NodeIndex owner) {
  const NodeIndex rule = allocate(kGuardBit);
  const NodeIndex use = allocate(rule_symbol(rule));
  ++rules_;
  nodes_[rule].state = 1;
  const NodeIndex second = nodes_[owner].next;
  forget_before(owner);
  forget(second);
  link(nodes_[owner].prev, use);
  link(use, nodes_[second].next);
  link(rule, owner);
  link(second, rule);
  substitute(node, rule);
  mark_before(use);
  mark(use);
}

// Puts the rule in the place of the digram at `node`, which is unlisted.
void Sequitur::substitute(NodeIndex node, NodeIndex rule) {
  const NodeIndex second = nodes_[node].next;
  forget_before(node);
  forget(node);
  forget(second);
  const Symbol value = nodes_[node].value;
  if (is_rule(value)) --nodes_[rule_index(value)].state;
  nodes_[node].value = rule_symbol(rule);
  ++nodes_[rule].state;
  link(node, nodes_[second].next);
  release_use(second);
  mark_before(node);
  mark(node);
}

// Ab and Ab, where A is used nowhere else: b moves to the end of A.
void Sequitur::extend_right(NodeIndex node, NodeIndex owner) {
  const NodeIndex rule = rule_index(nodes_[node].value);
  const NodeIndex moved = nodes_[owner].next;
  forget(owner);
  forget(moved);
  link(owner, nodes_[moved].next);
  const NodeIndex rule_last = nodes_[rule].prev;
  link(rule_last, moved);
  link(moved, rule);
  const NodeIndex dropped = nodes_[node].next;
  forget(dropped);
  link(node, nodes_[dropped].next);
  release_use(dropped);
  mark(node);
  mark(owner);
  mark(rule_last);
}

// aB and aB, where B is used nowhere else: a moves to the front of B.
void Sequitur::extend_left(NodeIndex node, NodeIndex owner) {
  const NodeIndex owner_use = nodes_[owner].next;
  const NodeIndex node_use = nodes_[node].next;
  const NodeIndex rule = rule_index(nodes_[owner_use].value);
  forget_before(owner);
  forget(owner);
  link(nodes_[owner].prev, owner_use);
  link(owner, nodes_[rule].next);
  link(rule, owner);
  forget_before(node);
  link(nodes_[node].prev, node_use);
  release_use(node);
  mark_before(node_use);
  mark_before(owner_use);
  mark(owner);
}

// AB and AB, where both are used nowhere else: A takes over what B stands for.
void Sequitur::fuse(NodeIndex node, NodeIndex owner) {
  const NodeIndex rule = rule_index(nodes_[node].value);
  const NodeIndex tail = rule_index(nodes_[nodes_[node].next].value);
  for (const NodeIndex use : {owner, node}) {
    const NodeIndex dropped = nodes_[use].next;
    forget(use);
    forget(dropped);
    link(use, nodes_[dropped].next);
    release(dropped);
  }
  const NodeIndex rule_last = nodes_[rule].prev;
  link(rule_last, nodes_[tail].next);
  link(nodes_[tail].prev, rule);
  release(tail);
  --rules_;
  mark(node);
  mark(owner);
  mark(rule_last);
}

// Two rules have become equal, as X -> xY does to Z -> xY out of X -> Ab, A -> xy, Y -> yb when A
// is inlined in X. The one at `node` gives way in all its uses. These are found by a scan of all
// nodes: no append has been seen to lead here in a hundred million, and lists of uses would cost
// every one.
void Sequitur::merge_rule(NodeIndex node, NodeIndex owner) {
  const NodeIndex gone = nodes_[node].prev;
  const NodeIndex kept = nodes_[owner].prev;
  const Symbol old_value = rule_symbol(gone);
  for (NodeIndex use = kStart + 1; nodes_[gone].state != 0; ++use) {
    if (nodes_[use].value != old_value) continue;
    forget_before(use);
    forget(use);
    nodes_[use].value = rule_symbol(kept);
    ++nodes_[kept].state;
    --nodes_[gone].state;
    mark_before(use);
    mark(use);
  }
  release_use(nodes_[node].next);
  release_use(node);
  release(gone);
  --rules_;
  inline_used_once(owner);
}

// `first` starts a rule of two symbols that has just taken over another place of its digram.
void Sequitur::inline_used_once(NodeIndex first) {
  const NodeIndex second = nodes_[first].next;
  const bool inline_first = uses(nodes_[first].value) == 1;
  if (uses(nodes_[second].value) == 1) inline_rule(second);
  if (inline_first) inline_rule(first);
}

// Puts a rule's right-hand side in the place of its only use.
void Sequitur::inline_rule(NodeIndex use) {
  const NodeIndex rule = rule_index(nodes_[use].value);
  const NodeIndex rule_last = nodes_[rule].prev;
  forget_before(use);
  forget(use);
  link(nodes_[use].prev, nodes_[rule].next);
  link(rule_last, nodes_[use].next);
  const NodeIndex rule_first = nodes_[rule].next;
  release(use);
  release(rule);
  --rules_;
  mark_before(rule_first);
  mark(rule_last);
}

// ---- the result

// Rules are numbered in the order in which a breadth-first walk meets them. `number_of(guard)` is a
// place to keep a guard's number in, without kNumbered before the first visit.
template <typename NumberOf>
Grammar Sequitur::collect(NumberOf number_of) const {
  PATHSPOOL_CHECK(symbol_count() <= std::numeric_limits<std::uint32_t>::max());
  Grammar grammar;
  grammar.symbols.reserve(symbol_count());
  grammar.begin.clear();
  grammar.begin.reserve(rules_ + 1);
  std::vector<NodeIndex> guards;
  guards.reserve(rules_);
  guards.push_back(kStart);
  for (std::size_t rule = 0; rule < guards.size(); ++rule) {
    grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
    const NodeIndex guard = guards[rule];
    for (NodeIndex node = nodes_[guard].next; node != guard; node = nodes_[node].next) {
      const Symbol value = nodes_[node].value;
      if (!is_rule(value)) {
        grammar.symbols.push_back(value);
        continue;
      }
      std::uint32_t& number = number_of(rule_index(value));
      if ((number & kNumbered) == 0) {
        number = kNumbered | static_cast<std::uint32_t>(guards.size());
        guards.push_back(rule_index(value));
      }
      grammar.symbols.push_back(rule_symbol(number & ~kNumbered));
    }
  }
  grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
  return grammar;
}

Grammar Sequitur::snapshot() const {
  std::vector<std::uint32_t> numbers(used_nodes_);
  return collect([&](NodeIndex guard) -> std::uint32_t& { return numbers[guard]; });
}

Grammar Sequitur::finish() {
  // The counts of uses are no longer needed and make room for the numbers.
  Grammar grammar = collect([&](NodeIndex guard) -> std::uint32_t& { return nodes_[guard].state; });
  reset();
  return grammar;
}

}  // namespace pathspool::grammar
