// The rules of a grammar as the papers print them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar_reader.h"
#include "pathspool/spool.h"
#include "spool/phrases.h"

namespace pathspool::spool {

// Numbers rules in order of first use from the start rule, left to right, depth first. A phrase of
// several events that is used more than once prints as a rule; used once, it prints as its events.
class PrintedRules {
 public:
  PrintedRules(grammar::GrammarReader& rules, const PhraseTable& phrases,
               std::span<const grammar::Symbol> start);

  void visit(const Spool::RuleVisitor& visitor);

 private:
  void count_phrase_uses();
  void number_from_the_start();
  [[nodiscard]] std::span<const grammar::Symbol> body(grammar::Symbol symbol) const;
  [[nodiscard]] bool prints_as_rule(grammar::Symbol symbol) const;
  [[nodiscard]] std::uint32_t& number(grammar::Symbol symbol);
  void append_items(grammar::Symbol symbol, std::vector<RuleItem>& items);

  grammar::GrammarReader& rules_;
  const PhraseTable& phrases_;
  std::span<const grammar::Symbol> start_;
  std::vector<std::uint32_t> phrase_uses_;
  std::vector<std::uint32_t> rule_numbers_;    // 0: none yet
  std::vector<std::uint32_t> phrase_numbers_;  // likewise
  std::vector<grammar::Symbol> in_order_;      // of R1, R2, ...
};

}  // namespace pathspool::spool
