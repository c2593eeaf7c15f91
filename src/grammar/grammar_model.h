// How a grammar is stored: what the encoder and the reader both know. Distributions are here, facts
// about rules in symbol_table.h, what is coded about a rule in rule_model.h.
//
// Order. Rules are numbered so that a body refers to lower numbers only: no bytes can make a cycle.
// Among such orders we take the one that a walk from the right end of the start rule to its left
// gives when it numbers a rule after everything in it. Then a reader that goes from left to right
// finds the rules that nothing has used yet on a stack, and the next one of them to be used is on
// its top. So one use of every rule costs hardly anything, which is what sending a rule where it is
// first used saves (Nevill-Manning and Witten, "Compression and explanation using hierarchical
// grammars", 1997). In the start rule, what lies above the top has had its last use: candidates are
// the rules up to the top.
//
// Symbols. A digram occurs once in a grammar, so the previous symbol says little about the next
// one; but the last terminal of the previous symbol and the first of the next one are neighbours in
// the trace, and there a terminal has few successors. So a symbol is coded as its first terminal,
// given the previous symbol's last, then as one of the symbols that start with that terminal,
// weighted by how often they are used. Both distributions are stored once, in the symbol table;
// only flags adapt. That is why short blocks cost no more than long ones.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/adaptive_bit.h"
#include "base/adaptive_number.h"
#include "base/check.h"

namespace pathspool::grammar {

// Whatever a blob claims to hold, it holds at most this many of them per byte: the encoder adds
// zero bytes to one that is smaller, the reader refuses before it allocates. Symbols of a block or
// chunk take four bytes of memory each; what the symbol table lists takes some hundred, and rarely
// less than a byte to store.
inline constexpr std::uint64_t kMostSymbolsPerByte = 16;
inline constexpr std::uint64_t kMostFactsPerByte = 2;

// Weights are stored with three significant bits: 0 to 7, 8, 10, 12, 14, 16, 20, ... A weight that
// is wrong by a tenth costs a thousandth of a bit.
inline constexpr std::uint32_t kWeightClasses = 124;
[[nodiscard]] constexpr std::uint32_t weight_class(std::uint32_t weight) {
  if (weight < 8) return weight;
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(weight)) - 3;
  return 4 * exponent + (weight >> exponent);
}
[[nodiscard]] constexpr std::uint32_t class_weight(std::uint32_t weight_class) {
  if (weight_class < 8) return weight_class;
  return (4 + weight_class % 4) << (weight_class / 4 - 1);
}

// Part of a distribution: [begin, begin + size) of `total`.
struct Share {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t total = 0;
};

// Which terminals follow a terminal, and how often. The context after the last terminal is the
// start of a body or a chunk.
class FollowTable {
 public:
  // Contexts are filled in order, each with terminals in ascending order.
  void begin_context() { begin_.push_back(terminals_.size()); }
  // False if the sum of the context's weights would not fit.
  [[nodiscard]] bool add(std::uint32_t terminal, std::uint32_t weight) {
    const std::uint32_t sum = terminals_.size() == begin_.back() ? 0 : ends_.back();
    if (weight > UINT32_MAX - sum) return false;
    terminals_.push_back(terminal);
    ends_.push_back(sum + weight);
    return true;
  }
  void finish() {
    begin_context();
    for (std::uint32_t context = 0; context + 1 < begin_.size(); ++context) {
      reciprocals_.push_back(base::reciprocal_of(total(context)));
      make_marks(context);
    }
  }

  [[nodiscard]] std::uint32_t total(std::uint32_t context) const {
    return begin_[context] == begin_[context + 1] ? 0 : ends_[begin_[context + 1] - 1];
  }
  [[nodiscard]] std::uint64_t reciprocal(std::uint32_t context) const {
    return reciprocals_[context];  // of the total
  }
  // Its size is 0 if the terminal does not follow.
  [[nodiscard]] Share share(std::uint32_t context, std::uint32_t terminal) const {
    std::size_t index = begin_[context];
    const std::size_t end = begin_[context + 1];
    if (end - index <= kFew) {
      while (index != end && terminals_[index] < terminal) ++index;
    } else {
      const auto at = std::lower_bound(terminals_.begin() + offset(index),
                                       terminals_.begin() + offset(end), terminal);
      index = static_cast<std::size_t>(at - terminals_.begin());
    }
    if (index == end || terminals_[index] != terminal) return {0, 0, total(context)};
    return share_at(context, index);
  }
  // The terminal whose share `point`, which is below the total, falls in.
  struct Found {
    std::uint32_t terminal;
    Share share;
  };
  [[nodiscard]] Found find(std::uint32_t context, std::uint32_t point) const {
    const Marks& marks = marks_of_[context];
    std::size_t index = marks_[marks.begin + (point >> marks.shift)];
    index += ends_[index] <= point ? 1 : 0;  // hard to foresee, so no branch
    while (ends_[index] <= point) ++index;
    return {terminals_[index], share_at(context, index)};
  }

  [[nodiscard]] std::span<const std::uint32_t> followers(std::uint32_t context) const {
    return std::span(terminals_).subspan(begin_[context], begin_[context + 1] - begin_[context]);
  }
  [[nodiscard]] std::size_t size() const { return terminals_.size(); }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return (begin_.capacity() + reciprocals_.capacity()) * sizeof(std::size_t) +
           8 * terminals_.capacity();
  }

 private:
  // Where to start looking for a point, by its upper bits.
  struct Marks {
    std::uint32_t begin = 0;  // in marks_
    std::uint32_t shift = 0;
  };
  void make_marks(std::uint32_t context) {
    Marks marks{static_cast<std::uint32_t>(marks_.size()), 0};
    const std::uint32_t sum = total(context);
    const std::size_t count = begin_[context + 1] - begin_[context];
    while ((sum >> marks.shift) > 2 * count) ++marks.shift;
    std::size_t index = begin_[context];
    for (std::uint64_t point = 0; point < sum; point += std::uint64_t{1} << marks.shift) {
      while (ends_[index] <= point) ++index;
      marks_.push_back(static_cast<std::uint32_t>(index));
    }
    marks_of_.push_back(marks);
  }

  static constexpr std::size_t kFew = 16;  // so many are searched one by one

  static std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }
  [[nodiscard]] Share share_at(std::uint32_t context, std::size_t index) const {
    const std::uint32_t begin = index == begin_[context] ? 0 : ends_[index - 1];
    return {begin, ends_[index] - begin, total(context)};
  }

  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> terminals_;
  std::vector<std::uint32_t> ends_;  // running sums of the weights within a context
  std::vector<std::uint64_t> reciprocals_;
  std::vector<std::uint32_t> marks_;
  std::vector<Marks> marks_of_;  // by context
};

// The symbols that start with one terminal: the terminal itself, then rules in ascending order. A
// symbol is its key: 0 for the terminal, else the rule's number plus 1; so the candidates among the
// first `limit` rules are the keys up to `limit`.
class Group {
 public:
  // False if the sum of the weights would not fit.
  [[nodiscard]] bool add(std::uint32_t key, std::uint32_t weight) {
    const std::uint32_t sum = total(members_.size());
    if (weight > UINT32_MAX - sum) return false;
    members_.push_back({key, sum + weight});
    return true;
  }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] std::uint32_t key(std::size_t index) const { return members_[index].key; }
  [[nodiscard]] std::size_t candidates(std::uint32_t limit) const {
    const auto end = std::partition_point(members_.begin(), members_.end(),
                                          [&](const Member& m) { return m.key <= limit; });
    return static_cast<std::size_t>(end - members_.begin());
  }

  // Of the weights of the first `count` members.
  [[nodiscard]] std::uint32_t total(std::size_t count) const {
    return count == 0 ? 0 : members_[count - 1].end;
  }
  [[nodiscard]] Share share(std::size_t index, std::size_t count) const {
    return {total(index), members_[index].end - total(index), total(count)};
  }
  // Whose share `point`, which is below the total of all, falls in.
  [[nodiscard]] std::size_t find(std::uint32_t point) const {
    if (marks_.empty()) {
      const auto at = std::partition_point(members_.begin(), members_.end(),
                                           [&](const Member& m) { return m.end <= point; });
      return static_cast<std::size_t>(at - members_.begin());
    }
    std::size_t index = marks_[point >> marks_shift_];
    while (members_[index].end <= point) ++index;
    return index;
  }
  // The same in three steps, each of which waits for memory that the one before it has asked for.
  void ask_for_mark(std::uint32_t point) const {
    if (!marks_.empty()) __builtin_prefetch(&marks_[point >> marks_shift_]);
  }
  [[nodiscard]] std::size_t mark(std::uint32_t point) const {
    if (marks_.empty()) return find(point);
    const std::size_t index = marks_[point >> marks_shift_];
    __builtin_prefetch(&members_[index]);
    return index;
  }
  [[nodiscard]] std::size_t find_from(std::size_t mark, std::uint32_t point) const {
    mark += members_[mark].end <= point ? 1 : 0;  // hard to foresee, so no branch
    while (members_[mark].end <= point) ++mark;
    return mark;
  }
  // To be called once, when all members are there: `find` then takes a step or two.
  void make_marks() {
    const std::uint32_t sum = total(members_.size());
    while ((sum >> marks_shift_) > members_.size()) ++marks_shift_;
    std::size_t index = 0;
    for (std::uint64_t point = 0; point < sum; point += std::uint64_t{1} << marks_shift_) {
      while (members_[index].end <= point) ++index;
      marks_.push_back(static_cast<std::uint32_t>(index));
    }
  }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return sizeof(Group) + sizeof(Member) * members_.capacity() + 4 * marks_.capacity();
  }

 private:
  struct Member {
    std::uint32_t key;
    std::uint32_t end;  // running sum of the weights
  };
  std::vector<Member> members_;
  std::vector<std::uint32_t> marks_;  // where to start looking for a point, by its upper bits
  unsigned marks_shift_ = 0;
};

// Whether the next symbol is the rule on top of the stack, given how likely the rule's first
// terminal is to follow.
class NewRuleModel {
 public:
  [[nodiscard]] base::AdaptiveBit& flag(const Share& first_of_top) {
    if (first_of_top.size == 0) return flags_[0];
    const auto rarity = static_cast<std::size_t>(std::bit_width(first_of_top.total) -
                                                 std::bit_width(first_of_top.size));
    return flags_[std::min(rarity + 1, kLevels - 1)];
  }

 private:
  static constexpr std::size_t kLevels = 16;
  std::array<base::AdaptiveBit, kLevels> flags_{};
};

}  // namespace pathspool::grammar
