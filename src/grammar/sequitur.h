// SEQUITUR (Nevill-Manning and Witten 1997): a grammar for a sequence, online, in expected linear
// time, one terminal at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_array.h"
#include "grammar/digram_table.h"
#include "grammar/grammar.h"

namespace pathspool::grammar {

// After every append both of SEQUITUR's invariants hold, strictly:
//   digram uniqueness: no pair of adjacent symbols occurs twice without overlap;
//   rule utility: every rule but the start rule is used at least twice and has two symbols or more.
//
// Costs 16 bytes per symbol and per rule, and 16 to 32 bytes per digram. After std::bad_alloc
// (memory or 2^30 nodes are exhausted) the object may only be destroyed.
class Sequitur {
 public:
  Sequitur();

  void append(std::uint32_t terminal);  // terminal < 2^30

  [[nodiscard]] std::uint64_t appended() const { return appended_; }
  // Live symbols on all right-hand sides.
  [[nodiscard]] std::uint64_t symbol_count() const { return live_nodes_ - rules_; }
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // What memory_bytes() becomes if the next append makes an array grow, else memory_bytes(). Both
  // arrays grow in place, so this is the peak as well.
  [[nodiscard]] std::uint64_t memory_bytes_after_growth() const;

  // The grammar so far. Costs four bytes per node and per symbol on top.
  [[nodiscard]] Grammar snapshot() const;
  // The grammar. Leaves the object empty, with its memory kept for the next one.
  Grammar finish();

 private:
  friend class SequiturProbe;  // a test's way to states that appends do not lead to
  using NodeIndex = std::uint32_t;

  // A symbol in the ring of its rule's right-hand side, or the guard that closes the ring.
  // A rule is known by the index of its guard: its symbol is kRuleBit | guard.
  struct Node {
    NodeIndex next;
    NodeIndex prev;
    Symbol value;         // of a guard: kGuardBit; of a free node: kFreeValue
    std::uint32_t state;  // of a guard: how often the rule is used; of a symbol: a DigramState
  };
  static_assert(sizeof(Node) == 16);

  // Of the digram that starts at a symbol. The last symbol of a rule starts none: kUnlisted.
  enum DigramState : std::uint32_t {
    kUnlisted,  // overlaps the owner of an equal digram (as in aaa), or is the held one
    kOwner,     // is in the table
    kPending,   // is in pending_, not in the table, and may equal another digram
  };

  static constexpr NodeIndex kStart = 0;            // guard of the start rule; as an answer: none
  static constexpr Symbol kGuardBit = 0x4000'0000;  // in no terminal and in no rule's symbol
  static constexpr Symbol kFreeValue = kGuardBit | 1;

  [[nodiscard]] bool is_guard(NodeIndex node) const {
    return (nodes_[node].value & kGuardBit) != 0;
  }
  // Of a rule; a terminal has none.
  [[nodiscard]] std::uint32_t uses(Symbol symbol) const {
    return is_rule(symbol) ? nodes_[rule_index(symbol)].state : 0;
  }
  [[nodiscard]] std::uint32_t hash_at(NodeIndex node) const {
    return digram_hash(nodes_[node].value, nodes_[nodes_[node].next].value);
  }
  [[nodiscard]] NodeIndex find_owner(std::uint32_t hash, Symbol first, Symbol second) const;
  [[nodiscard]] NodeIndex whole_rule(NodeIndex first) const;
  [[nodiscard]] std::uint64_t digram_bound() const { return live_nodes_ + 2 - 2 * rules_; }

  void reset();
  NodeIndex allocate(Symbol value);
  void grow_nodes();
  void release(NodeIndex node);
  void release_use(NodeIndex node);
  void link(NodeIndex left, NodeIndex right) {
    nodes_[left].next = right;
    nodes_[right].prev = left;
  }
  NodeIndex push_back(Symbol value);

  void list(NodeIndex node, std::uint32_t hash);
  void hand_over(std::uint32_t hash, NodeIndex owner, NodeIndex new_owner);
  void forget(NodeIndex node);
  void forget_before(NodeIndex node);
  void wake_overlapping(NodeIndex node);
  void make_pending(NodeIndex node);
  void mark(NodeIndex node);
  void mark_before(NodeIndex node);
  void unhold();

  void settle();
  void check(NodeIndex node);
  bool step_over_run(NodeIndex node, NodeIndex& owner, std::uint32_t hash);
  void match(NodeIndex node, NodeIndex owner);
  void create_rule(NodeIndex node, NodeIndex owner);
  void substitute(NodeIndex node, NodeIndex rule);
  void extend_right(NodeIndex node, NodeIndex owner);
  void extend_left(NodeIndex node, NodeIndex owner);
  void fuse(NodeIndex node, NodeIndex owner);
  void merge_rule(NodeIndex node, NodeIndex owner);
  void inline_used_once(NodeIndex first);
  void inline_rule(NodeIndex use);

  template <typename NumberOf>
  Grammar collect(NumberOf number_of) const;

  base::FlatArray<Node> nodes_;
  DigramTable table_;
  std::vector<NodeIndex> pending_;  // a stack; an entry counts only while its node is kPending
  NodeIndex used_nodes_ = 0;        // nodes_ beyond are untouched
  NodeIndex free_list_ = kStart;    // through next
  std::uint64_t live_nodes_ = 0;
  std::uint64_t rules_ = 0;
  std::uint64_t appended_ = 0;

  // The last digram of the start rule is usually destroyed by the very next append. While it is
  // unique it is therefore held here instead of in the table (kStart: none is held).
  NodeIndex held_ = kStart;
  std::uint32_t held_hash_ = 0;
};

}  // namespace pathspool::grammar
