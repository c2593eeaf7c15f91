// What is known of every symbol without its body: decoded whole when a grammar is opened.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/grammar_model.h"
#include "grammar/measure.h"

namespace pathspool::grammar {

struct RuleFacts {
  Measure measure;
  std::uint32_t first = 0;  // terminal
  std::uint32_t last = 0;   // terminal
  std::uint32_t weight = 0;
  std::uint32_t children_end = 0;  // see SymbolTable::children
};

class SymbolTable {
 public:
  explicit SymbolTable(std::vector<Measure> terminals) : terminals_(std::move(terminals)) {}

  [[nodiscard]] std::uint32_t terminal_count() const {
    return static_cast<std::uint32_t>(terminals_.size());
  }
  // The context of a symbol that starts a body or a chunk.
  [[nodiscard]] std::uint32_t start() const { return terminal_count(); }

  // Terminals come first, in order; false if the sum of weights would not fit.
  [[nodiscard]] bool add_terminal(std::uint32_t weight) {
    const auto terminal = static_cast<std::uint32_t>(groups_.size());
    groups_.emplace_back();
    return groups_.back().add(0, weight) && lasts_.add(terminal, weight);
  }
  // The facts' children are the top `child_count` rules of the stack, which holds as many.
  [[nodiscard]] bool add_rule(RuleFacts facts, std::size_t child_count) {
    for (; child_count > 0; --child_count) {
      children_.push_back(unused_.back());
      unused_.pop_back();
    }
    facts.children_end = static_cast<std::uint32_t>(children_.size());
    const auto number = static_cast<std::uint32_t>(rules_.size());
    rules_.push_back(facts);
    lasts_of_rules_.push_back(facts.last);
    unused_.push_back(number);
    return groups_[facts.first].add(number + 1, facts.weight);
  }

  [[nodiscard]] const RuleFacts& rule(std::uint32_t number) const { return rules_[number]; }
  [[nodiscard]] std::uint32_t rule_count() const {
    return static_cast<std::uint32_t>(rules_.size());
  }
  // The rules that are used first by this one, as they stand in its body.
  [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t number) const {
    const std::uint32_t begin = number == 0 ? 0 : rules_[number - 1].children_end;
    return std::span(children_).subspan(begin, rules_[number].children_end - begin);
  }
  // The rules that no rule has used so far, a stack.
  [[nodiscard]] std::span<const std::uint32_t> unused() const { return unused_; }

  [[nodiscard]] const Measure& measure(Symbol symbol) const {
    return is_rule(symbol) ? rules_[rule_index(symbol)].measure : terminals_[symbol];
  }
  [[nodiscard]] std::uint32_t first(Symbol symbol) const {
    return is_rule(symbol) ? rules_[rule_index(symbol)].first : symbol;
  }
  [[nodiscard]] std::uint32_t last(Symbol symbol) const {
    return is_rule(symbol) ? lasts_of_rules_[rule_index(symbol)] : symbol;
  }
  // What of a rule will be asked for soon.
  void ask_for_last(std::uint32_t rule) const { __builtin_prefetch(&lasts_of_rules_[rule]); }
  void ask_for_measure(Symbol symbol) const {
    if (is_rule(symbol)) __builtin_prefetch(&rules_[rule_index(symbol)]);
  }
  [[nodiscard]] std::uint32_t weight(Symbol symbol) const {
    return is_rule(symbol) ? rules_[rule_index(symbol)].weight : groups_[symbol].total(1);
  }

  [[nodiscard]] const Group& group(std::uint32_t terminal) const { return groups_[terminal]; }
  // All terminals, for the last ones of rules.
  [[nodiscard]] const Group& lasts() const { return lasts_; }
  [[nodiscard]] FollowTable& follow() { return follow_; }
  [[nodiscard]] const FollowTable& follow() const { return follow_; }

  // All rules are there: from now on groups are searched.
  void finish() {
    for (Group& group : groups_) group.make_marks();
  }
  void reserve_rules(std::size_t count) {
    rules_.reserve(count);
    lasts_of_rules_.reserve(count);
  }

  [[nodiscard]] std::uint64_t memory_bytes() const {
    std::uint64_t bytes =
        terminals_.capacity() * sizeof(Measure) + rules_.capacity() * sizeof(RuleFacts) +
        follow_.memory_bytes() +
        4 * (children_.capacity() + unused_.capacity() + lasts_of_rules_.capacity()) +
        lasts_.memory_bytes();
    for (const Group& group : groups_) bytes += group.memory_bytes();
    return bytes;
  }

 private:
  std::vector<Measure> terminals_;
  std::vector<RuleFacts> rules_;
  // Again, close together: a chunk's next symbol cannot be decoded before it is known what the
  // previous one ends with.
  std::vector<std::uint32_t> lasts_of_rules_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> unused_;
  FollowTable follow_;
  std::vector<Group> groups_;  // by first terminal
  Group lasts_;
};

// Finds the symbols with a given first terminal, last terminal and length: when a body lacks one
// symbol, all three are known of it. Costs a pass over the table to make.
class FinalIndex {
 public:
  // The candidates for one place, nearest below the rule first. A window, since a damaged file
  // could make all rules alike.
  static constexpr std::size_t kWindow = 32;

  explicit FinalIndex(const SymbolTable& table) {
    const std::size_t keys = std::size_t{table.terminal_count()} + table.rule_count();
    bits_ = static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(keys)) - 1));
    begin_.assign((std::size_t{1} << bits_) + 1, 0);
    symbols_.resize(keys);
    const auto each = [&](const auto& visit) {
      for (std::uint32_t i = 0; i < table.terminal_count(); ++i) visit(Symbol{i});
      for (std::uint32_t i = 0; i < table.rule_count(); ++i) visit(rule_symbol(i));
    };
    std::vector<std::uint32_t> slots;
    slots.reserve(keys);
    each([&](Symbol symbol) {
      slots.push_back(slot(table.first(symbol), table.last(symbol), table.measure(symbol).length));
      ++begin_[slots.back() + 1];
    });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
    std::size_t i = 0;
    each([&](Symbol symbol) { symbols_[at[slots[i++]]++] = symbol; });
  }

  // Symbols of the slot below rule `limit`, ascending, others with the same hash among them.
  [[nodiscard]] std::span<const Symbol> window(std::uint32_t first, std::uint32_t last,
                                               std::uint64_t length, std::uint32_t limit) const {
    const std::uint32_t at = slot(first, last, length);
    const auto all = std::span(symbols_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
    const auto end = std::lower_bound(all.begin(), all.end(), rule_symbol(limit)) - all.begin();
    const auto count = std::min(static_cast<std::size_t>(end), kWindow);
    return all.subspan(static_cast<std::size_t>(end) - count, count);
  }

  [[nodiscard]] std::uint64_t memory_bytes() const {
    return 4 * (begin_.capacity() + symbols_.capacity());
  }

 private:
  [[nodiscard]] std::uint32_t slot(std::uint32_t first, std::uint32_t last,
                                   std::uint64_t length) const {
    constexpr std::uint64_t kMultiplier = 0x9e37'79b9'7f4a'7c15;  // 2^64 / golden ratio
    std::uint64_t hash = (std::uint64_t{first} << 32 | last) * kMultiplier;
    hash = (hash ^ (hash >> 29) ^ length) * kMultiplier;
    return static_cast<std::uint32_t>(hash >> (64 - bits_));
  }

  unsigned bits_ = 1;
  std::vector<std::uint32_t> begin_;
  std::vector<Symbol> symbols_;
};

}  // namespace pathspool::grammar
