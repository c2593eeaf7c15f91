// The frames that a run of symbols leaves open, found from its end backwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar.h"
#include "pathspool/event.h"
#include "spool/phrases.h"

namespace pathspool::spool {

// Backwards, a rule whose frames are all closed by what follows it need not be opened: its measure
// says how many frames it closes itself. So only rules that hold a frame still open are decoded.
template <typename Rules>
class OpenFrames {
 public:
  OpenFrames(Rules& rules, const PhraseTable& phrases) : rules_(rules), phrases_(phrases) {}

  // Takes what comes before everything taken so far.
  void take_before(std::span<const Event> events) {
    while (!events.empty()) {
      const Event event = events.back();
      events = events.first(events.size() - 1);
      if (event.kind == EventKind::exit) {
        ++closing_;
      } else if (event.kind == EventKind::enter) {
        if (closing_ > 0) {
          --closing_;
        } else {
          innermost_first_.push_back(event.function());
        }
      }
    }
  }

  void take_before(std::span<const grammar::Symbol> symbols) {
    std::vector<std::span<const grammar::Symbol>> stack = {symbols};
    while (!stack.empty()) {
      std::span<const grammar::Symbol>& top = stack.back();
      if (top.empty()) {
        stack.pop_back();
        continue;
      }
      const grammar::Symbol symbol = top.back();
      top = top.first(top.size() - 1);
      const auto& measure = rules_.measure(symbol);
      if (measure.pushes <= closing_) {
        closing_ = closing_ - measure.pushes + measure.pops;
      } else if (grammar::is_rule(symbol)) {
        stack.push_back(rules_.body(grammar::rule_index(symbol)));
      } else {
        take_before(phrases_[symbol]);
      }
    }
  }

  // How many of the frames open before all that was taken are closed in it.
  [[nodiscard]] std::uint64_t closed() const { return closing_; }
  [[nodiscard]] std::vector<FunctionId> outermost_first() const {
    return {innermost_first_.rbegin(), innermost_first_.rend()};
  }

 private:
  Rules& rules_;
  const PhraseTable& phrases_;
  std::uint64_t closing_ = 0;  // frames that what follows closes and that are not met yet
  std::vector<FunctionId> innermost_first_;
};

}  // namespace pathspool::spool
