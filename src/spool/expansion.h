// Unwinds a run of symbols into events, lazily, without recursion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar.h"
#include "pathspool/event.h"
#include "spool/phrases.h"

namespace pathspool::spool {

// `Rules` has `body(rule)`, and for `skip` also `measure(symbol)`.
template <typename Rules>
class Expansion {
 public:
  Expansion(Rules& rules, const PhraseTable& phrases) : rules_(rules), phrases_(phrases) {}

  // Begins anew with these symbols, which outlive the expansion of them.
  void start(std::span<const grammar::Symbol> symbols) {
    stack_.clear();
    top_ = symbols;
    phrase_ = {};
  }

  // Passes over the next `count` events, descending only where they end. Costs by depth.
  void skip(std::uint64_t count) {
    while (count > 0) {
      const grammar::Symbol symbol = top_.front();
      const std::uint64_t length = rules_.measure(symbol).length;
      top_ = top_.subspan(1);
      if (length <= count) {
        count -= length;
      } else if (grammar::is_rule(symbol)) {
        descend(symbol);
      } else {
        phrase_ = phrases_[symbol].subspan(count);
        count = 0;
      }
    }
  }

  // Fills `out`, at least kLongestPhrase long, and returns how many events there were; 0 at the
  // end.
  std::size_t fill(std::span<Event> out) {
    Event* at = std::ranges::copy(phrase_, out.data()).out;
    phrase_ = {};
    const Event* const last = out.data() + out.size() - kLongestPhrase;
    while (at <= last) {
      if (top_.empty()) {
        if (stack_.empty()) break;
        top_ = stack_.back();
        stack_.pop_back();
        continue;
      }
      const grammar::Symbol symbol = top_.front();
      top_ = top_.subspan(1);
      if (grammar::is_rule(symbol)) {
        descend(symbol);
      } else {
        for (const Event& event : phrases_[symbol]) *at++ = event;
      }
    }
    return static_cast<std::size_t>(at - out.data());
  }

 private:
  void descend(grammar::Symbol symbol) {
    if (!top_.empty()) stack_.push_back(top_);
    top_ = rules_.body(grammar::rule_index(symbol));
  }

  Rules& rules_;
  const PhraseTable& phrases_;
  std::vector<std::span<const grammar::Symbol>> stack_;  // what is left of the enclosing bodies
  std::span<const grammar::Symbol> top_;
  std::span<const Event> phrase_;  // the rest of a phrase that a skip ended in
};

}  // namespace pathspool::spool
