// What is coded about a rule: its facts in the symbol table, its body in a block. Each function is
// written once for both directions: an encoding coder reads the values it is given, a decoding one
// fills them in. A coder has
//   bit(AdaptiveBit&, bool&), number(AdaptiveNumber&, uint64_t&),
//   follower(const FollowTable&, uint32_t context, uint32_t& terminal),
//   member(const Group&, size_t count, uint32_t& key), pick(span<const uint32_t> weights, size_t&).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/adaptive_bit.h"
#include "base/adaptive_number.h"
#include "grammar/grammar.h"
#include "grammar/grammar_model.h"
#include "grammar/measure.h"
#include "grammar/symbol_table.h"
#include "pathspool/error.h"

namespace pathspool::grammar {

// The last few values seen in some context, likeliest first.
template <typename Value>
class RecentValues {
 public:
  static constexpr std::size_t kSize = 6;
  using Models = std::array<base::AdaptiveBit, kSize>;

  // Whether the value was among them; only then a decoding coder has filled it in.
  template <typename Coder>
  bool code(Coder& coder, Models& models, Value& value) {
    for (std::size_t i = 0; i < used_; ++i) {
      bool hit = values_[i] == value;
      coder.bit(models[i], hit);
      if (!hit) continue;
      value = values_[i];
      if (i > 0) std::swap(values_[i], values_[i / 2]);
      return true;
    }
    return false;
  }
  void add(const Value& value) {
    if (used_ < kSize) ++used_;
    values_[used_ - 1] = value;
  }

 private:
  std::array<Value, kSize> values_{};
  std::size_t used_ = 0;
};

// Of the symbol table, what is not about rules.
struct TableModels {
  base::AdaptiveNumber terminal_weight;
  base::AdaptiveNumber follower_count;
  base::AdaptiveNumber first_follower;
  base::AdaptiveNumber follower_gap;
  base::AdaptiveNumber follower_weight;
};

class FactModels {
 public:
  explicit FactModels(std::uint32_t terminal_count)
      : firsts_(terminal_count), lasts_(2 * std::size_t{terminal_count}), frames_(kFrameSlots) {}

  // One rule's facts, given the table of all rules before it.
  template <typename Coder>
  void code(Coder& coder, const SymbolTable& table, RuleFacts& facts, std::size_t& child_count) {
    code_children(coder, table, child_count);
    const auto children = table.unused().last(child_count);
    Measure known;
    for (std::size_t i = child_count; i-- > 0;) {
      known = concat(known, table.rule(children[i]).measure);
    }
    if (known.length > kMostEvents) throw Error("the grammar derives too many events");
    const std::size_t kind = std::min(child_count, kKinds - 1);
    std::uint64_t more = facts.measure.length - known.length;
    coder.number(more_length_[kind], more);
    if (more > kMostEvents - known.length || more + child_count < 2) {
      throw Error("a rule of the grammar has an impossible length");
    }
    code_weight(coder, facts);
    if (more == 0) {
      // The body is its children.
      facts.measure = known;
      facts.first = table.rule(children.back()).first;
      facts.last = table.rule(children.front()).last;
      return;
    }
    facts.measure.length = known.length + more;
    const bool has_children = child_count != 0;
    code_first(coder, table, has_children ? &firsts_[table.rule(children.back()).first] : nullptr,
               facts.first);
    const std::size_t last_context = has_children
                                         ? 2 * std::size_t{table.rule(children.front()).last} + 1
                                         : 2 * std::size_t{facts.first};
    code_last(coder, table, has_children, lasts_[last_context], facts.last);
    code_frames(coder, facts);
  }

 private:
  static constexpr std::size_t kKinds = 4;
  static constexpr std::size_t kFrameSlots = 4096;
  using Frames = std::pair<std::uint64_t, std::uint64_t>;

  template <typename Coder>
  void code_children(Coder& coder, const SymbolTable& table, std::size_t& child_count) {
    std::size_t count = 0;
    while (count < table.unused().size()) {
      bool more = count < child_count;
      coder.bit(more_children_[std::min(count, kKinds - 1)], more);
      if (!more) break;
      ++count;
    }
    child_count = count;
  }

  template <typename Coder>
  void code_weight(Coder& coder, RuleFacts& facts) {
    std::uint64_t stored = weight_class(facts.weight);
    coder.number(weight_, stored);
    if (stored >= kWeightClasses) throw Error("a weight in the grammar is too large");
    facts.weight = class_weight(static_cast<std::uint32_t>(stored));
  }

  template <typename Coder>
  void code_first(Coder& coder, const SymbolTable& table, RecentValues<std::uint32_t>* recent,
                  std::uint32_t& first) {
    if (recent != nullptr && recent->code(coder, first_models_, first)) return;
    coder.follower(table.follow(), table.start(), first);
    if (recent != nullptr) recent->add(first);
  }

  template <typename Coder>
  void code_last(Coder& coder, const SymbolTable& table, bool has_children,
                 RecentValues<std::uint32_t>& recent, std::uint32_t& last) {
    if (recent.code(coder, last_models_[has_children ? 1 : 0], last)) return;
    coder.member(table.lasts(), table.lasts().size(), last);
    recent.add(last);
  }

  template <typename Coder>
  void code_frames(Coder& coder, RuleFacts& facts) {
    Frames frames(facts.measure.pops, facts.measure.pushes);
    const std::uint32_t hash = (facts.first * 0x9e37'79b1U + facts.last) * 0x85eb'ca6bU;
    auto& recent = frames_[hash >> 20];
    if (!recent.code(coder, frame_models_, frames)) {
      coder.number(pops_, frames.first);
      coder.number(pushes_, frames.second);
      recent.add(frames);
    }
    // An event opens or closes one frame at most.
    const std::uint64_t length = facts.measure.length;
    if (frames.first > length || frames.second > length - frames.first) {
      throw Error("a rule of the grammar has an impossible number of frames");
    }
    facts.measure.pops = frames.first;
    facts.measure.pushes = frames.second;
  }

  std::array<base::AdaptiveBit, kKinds> more_children_{};
  std::array<base::AdaptiveNumber, kKinds> more_length_{};
  base::AdaptiveNumber weight_;
  std::vector<RecentValues<std::uint32_t>> firsts_;
  RecentValues<std::uint32_t>::Models first_models_{};
  std::vector<RecentValues<std::uint32_t>> lasts_;
  std::array<RecentValues<std::uint32_t>::Models, 2> last_models_{};
  std::vector<RecentValues<Frames>> frames_;
  RecentValues<Frames>::Models frame_models_{};
  base::AdaptiveNumber pops_;
  base::AdaptiveNumber pushes_;
};

// Of one block; every block starts afresh.
class BodyModels {
 public:
  // The body of a rule, whose facts are known. `next` is a function: given the number of symbols so
  // far it tells an encoding coder's next symbol, and whatever to a decoding one; `take` is handed
  // each symbol.
  template <typename Coder, typename Next, typename Take>
  void code(Coder& coder, const SymbolTable& table, const FinalIndex& index, std::uint32_t number,
            const Next& next, const Take& take) {
    const RuleFacts& facts = table.rule(number);
    auto children = table.children(number);
    std::uint64_t children_length = 0;
    for (const std::uint32_t child : children) children_length += table.rule(child).measure.length;
    Measure sum;
    std::uint32_t context = table.start();
    std::size_t done = 0;
    for (; sum.length < facts.measure.length; ++done) {
      const std::uint64_t open = facts.measure.length - sum.length - children_length;
      Symbol symbol = next(done);
      if (code_is_child(coder, table, facts, children, open, done, context, symbol)) {
        symbol = rule_symbol(children.front());
        children = children.subspan(1);
        children_length -= table.measure(symbol).length;
      } else {
        code_other(coder, table, index, number, open, done, children.empty(), context, sum, symbol);
      }
      take(symbol);
      sum = concat(sum, table.measure(symbol));
      context = table.last(symbol);
      if (sum.length > facts.measure.length - children_length) break;
    }
    if (done < 2 || sum != facts.measure || context != facts.last || !children.empty()) {
      throw Error("a rule of the grammar does not derive what its facts say");
    }
  }

 private:
  template <typename Coder>
  bool code_is_child(Coder& coder, const SymbolTable& table, const RuleFacts& facts,
                     std::span<const std::uint32_t> children, std::uint64_t open, std::size_t done,
                     std::uint32_t context, Symbol symbol) {
    if (children.empty()) return false;
    if (open == 0) return true;
    const std::uint32_t first = table.rule(children.front()).first;
    if (done == 0 && first != facts.first) return false;
    bool is_child = symbol == rule_symbol(children.front());
    coder.bit(done == 0 ? first_is_child_ : is_child_.flag(table.follow().share(context, first)),
              is_child);
    return is_child;
  }

  template <typename Coder>
  void code_other(Coder& coder, const SymbolTable& table, const FinalIndex& index,
                  std::uint32_t number, std::uint64_t open, std::size_t done, bool may_be_final,
                  std::uint32_t context, const Measure& sum, Symbol& symbol) {
    const RuleFacts& facts = table.rule(number);
    std::uint32_t first = table.first(symbol);
    if (done == 0) {
      first = facts.first;
    } else {
      coder.follower(table.follow(), context, first);
      if (may_be_final && code_final(coder, table, index, number, first, open, sum, symbol)) return;
    }
    const Group& group = table.group(first);
    std::uint32_t key = is_rule(symbol) ? rule_index(symbol) + 1 : 0;
    coder.member(group, group.candidates(number), key);
    symbol = key == 0 ? first : rule_symbol(key - 1);
  }

  // Whether the symbol is one of those that could end the body.
  template <typename Coder>
  bool code_final(Coder& coder, const SymbolTable& table, const FinalIndex& index,
                  std::uint32_t number, std::uint32_t first, std::uint64_t open, const Measure& sum,
                  Symbol& symbol) {
    const RuleFacts& facts = table.rule(number);
    std::array<Symbol, FinalIndex::kWindow> symbols{};
    std::array<std::uint32_t, FinalIndex::kWindow> weights{};
    std::size_t count = 0;
    std::size_t chosen = FinalIndex::kWindow;
    for (const Symbol candidate : index.window(first, facts.last, open, number)) {
      const std::uint32_t weight = table.weight(candidate);
      if (weight == 0 || table.first(candidate) != first || table.last(candidate) != facts.last ||
          concat(sum, table.measure(candidate)) != facts.measure) {
        continue;
      }
      if (candidate == symbol) chosen = count;
      symbols[count] = candidate;
      weights[count++] = weight;
    }
    if (count == 0) return false;
    bool is_final = chosen != FinalIndex::kWindow;
    coder.bit(is_final_, is_final);
    if (!is_final) return false;
    coder.pick(std::span(weights).first(count), chosen);
    symbol = symbols[chosen];
    return true;
  }

  base::AdaptiveBit first_is_child_;
  NewRuleModel is_child_;
  base::AdaptiveBit is_final_{base::kProbabilityOne * 15 / 16, 4};
};

}  // namespace pathspool::grammar
