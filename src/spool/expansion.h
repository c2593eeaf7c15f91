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
//
// Most of the work is in short rules that come again and again: their events are kept flat after
// the first time, up to a bound, and copied from then on.
template <typename Rules>
class Expansion {
 public:
  // What `fill` needs room for: the longest phrase or flat rule.
  static constexpr std::size_t kLeastRoom = 64;

  static constexpr std::uint64_t kUsualFlatBytes = std::uint64_t{16} << 20;

  Expansion(Rules& rules, const PhraseTable& phrases,
            std::uint64_t most_flat_bytes = kUsualFlatBytes)
      : rules_(rules),
        phrases_(phrases),
        most_flat_events_(std::min<std::uint64_t>(most_flat_bytes / sizeof(Event), UINT32_MAX)) {}

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
        descend(grammar::rule_index(symbol));
      } else {
        phrase_ = phrases_[symbol].subspan(count);
        count = 0;
      }
    }
  }

  // Fills `out`, at least kLeastRoom long, and returns how many events there were; 0 at the end.
  std::size_t fill(std::span<Event> out) {
    Event* at = std::ranges::copy(phrase_, out.data()).out;
    phrase_ = {};
    const Event* const last = out.data() + out.size() - kLeastRoom;
    while (at <= last) {
      if (top_.empty()) {
        if (stack_.empty()) break;
        top_ = stack_.back();
        stack_.pop_back();
        continue;
      }
      const grammar::Symbol symbol = top_.front();
      top_ = top_.subspan(1);
      if (!grammar::is_rule(symbol)) {
        at = copy(phrases_[symbol], at);
        continue;
      }
      const std::uint32_t rule = grammar::rule_index(symbol);
      if (rule >= flat_.size()) flat_.resize(std::max<std::size_t>(rule + 1, 2 * flat_.size()));
      if (flat_[rule].length == kUnknown) flatten(rule);
      if (flat_[rule].length == kLong) {
        descend(rule);
      } else {
        at = copy(std::span(flat_events_).subspan(flat_[rule].begin, flat_[rule].length), at);
      }
    }
    return static_cast<std::size_t>(at - out.data());
  }

 private:
  static constexpr std::uint32_t kUnknown = 0;
  static constexpr std::uint32_t kLong = UINT32_MAX;

  struct Flat {
    std::uint32_t begin = 0;
    std::uint32_t length = kUnknown;
  };

  static Event* copy(std::span<const Event> events, Event* out) {
    for (const Event& event : events) *out++ = event;
    return out;
  }

  [[nodiscard]] const Flat* known_flat(std::uint32_t rule) const {
    if (rule >= flat_.size()) return nullptr;
    const Flat& flat = flat_[rule];
    return flat.length == kUnknown || flat.length == kLong ? nullptr : &flat;
  }

  void descend(std::uint32_t rule) {
    if (!top_.empty()) stack_.push_back(top_);
    top_ = rules_.body(rule);
  }

  // Appends the rule's events to flat_events_, or finds that it is too long.
  void flatten(std::uint32_t rule) {
    Flat& flat = flat_[rule];
    flat.length = kLong;
    if constexpr (requires { rules_.measure(grammar::rule_symbol(rule)); }) {
      if (rules_.measure(grammar::rule_symbol(rule)).length > kLeastRoom) return;
    }
    const std::size_t begin = flat_events_.size();
    if (begin + kLeastRoom > most_flat_events_) return;
    flatten_stack_.assign(1, rules_.body(rule));
    while (!flatten_stack_.empty()) {
      std::span<const grammar::Symbol>& body = flatten_stack_.back();
      if (body.empty()) {
        flatten_stack_.pop_back();
        continue;
      }
      const grammar::Symbol symbol = body.front();
      body = body.subspan(1);
      // A body has two symbols or more, so a stack this deep means as many events.
      const bool room = flatten_stack_.size() < kLeastRoom;
      if (!grammar::is_rule(symbol)) {
        const std::span<const Event> phrase = phrases_[symbol];
        flat_events_.insert(flat_events_.end(), phrase.begin(), phrase.end());
      } else if (const Flat* inner = known_flat(grammar::rule_index(symbol))) {
        const std::size_t at = flat_events_.size();
        flat_events_.resize(at + inner->length);
        std::copy_n(flat_events_.begin() + inner->begin, inner->length,
                    flat_events_.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (room) {
        flatten_stack_.push_back(rules_.body(grammar::rule_index(symbol)));
      }
      if (!room || flat_events_.size() - begin > kLeastRoom) {
        flat_events_.resize(begin);
        return;
      }
    }
    flat = {static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(flat_events_.size() - begin)};
  }

  Rules& rules_;
  const PhraseTable& phrases_;
  std::size_t most_flat_events_;
  std::vector<std::span<const grammar::Symbol>> stack_;  // what is left of the enclosing bodies
  std::span<const grammar::Symbol> top_;
  std::span<const Event> phrase_;  // the rest of a phrase that a skip ended in
  std::vector<Flat> flat_;         // by rule
  std::vector<Event> flat_events_;
  std::vector<std::span<const grammar::Symbol>> flatten_stack_;
};

}  // namespace pathspool::spool
