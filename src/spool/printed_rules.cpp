#include "spool/printed_rules.h"

namespace pathspool::spool {

PrintedRules::PrintedRules(grammar::GrammarReader& rules, const PhraseTable& phrases,
                           std::span<const grammar::Symbol> start)
    : rules_(rules),
      phrases_(phrases),
      start_(start),
      phrase_uses_(phrases.size()),
      rule_numbers_(rules.rule_count()),
      phrase_numbers_(phrases.size()) {}

void PrintedRules::visit(const Spool::RuleVisitor& visitor) {
  count_phrase_uses();
  number_from_the_start();
  std::vector<RuleItem> items;
  for (const grammar::Symbol symbol : start_) append_items(symbol, items);
  visitor(0, items);
  std::uint32_t printed = 0;
  for (const grammar::Symbol rule : in_order_) {
    items.clear();
    if (grammar::is_rule(rule)) {
      for (const grammar::Symbol symbol : body(rule)) append_items(symbol, items);
    } else {
      for (const Event& event : phrases_[rule]) items.push_back({false, 0, event});
    }
    visitor(++printed, items);
  }
}

void PrintedRules::count_phrase_uses() {
  const auto count = [this](std::span<const grammar::Symbol> symbols) {
    for (const grammar::Symbol symbol : symbols) {
      if (!grammar::is_rule(symbol)) ++phrase_uses_[symbol];
    }
  };
  count(start_);
  for (std::uint32_t rule = 0; rule < rules_.rule_count(); ++rule) count(rules_.body(rule));
}

void PrintedRules::number_from_the_start() {
  std::vector<std::span<const grammar::Symbol>> stack = {start_};
  while (!stack.empty()) {
    std::span<const grammar::Symbol>& top = stack.back();
    if (top.empty()) {
      stack.pop_back();
      continue;
    }
    const grammar::Symbol symbol = top.front();
    top = top.subspan(1);
    if (!prints_as_rule(symbol) || number(symbol) != 0) continue;
    in_order_.push_back(symbol);
    number(symbol) = static_cast<std::uint32_t>(in_order_.size());
    if (grammar::is_rule(symbol)) stack.push_back(body(symbol));
  }
}

std::span<const grammar::Symbol> PrintedRules::body(grammar::Symbol symbol) const {
  return rules_.body(grammar::rule_index(symbol));
}

bool PrintedRules::prints_as_rule(grammar::Symbol symbol) const {
  return grammar::is_rule(symbol) || (phrases_[symbol].size() > 1 && phrase_uses_[symbol] > 1);
}

std::uint32_t& PrintedRules::number(grammar::Symbol symbol) {
  return grammar::is_rule(symbol) ? rule_numbers_[grammar::rule_index(symbol)]
                                  : phrase_numbers_[symbol];
}

void PrintedRules::append_items(grammar::Symbol symbol, std::vector<RuleItem>& items) {
  if (prints_as_rule(symbol)) {
    items.push_back({true, number(symbol), {}});
    return;
  }
  for (const Event& event : phrases_[symbol]) items.push_back({false, 0, event});
}

}  // namespace pathspool::spool
