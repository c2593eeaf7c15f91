// What a SEQUITUR grammar has to be, said slowly: it derives the input and keeps both invariants.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grammar/grammar.h"

namespace pathspool::grammar::reference {

inline std::vector<std::uint32_t> expand(const Grammar& grammar) {
  std::vector<std::uint32_t> text;
  // (rule, position): no recursion, because rules nest as deep as the input is long.
  std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{0, 0}};
  while (!stack.empty()) {
    auto& [rule, position] = stack.back();
    if (position == grammar.rule(rule).size()) {
      stack.pop_back();
      continue;
    }
    const Symbol symbol = grammar.rule(rule)[position++];
    if (is_rule(symbol)) {
      stack.emplace_back(rule_index(symbol), 0);
    } else {
      text.push_back(symbol);
    }
  }
  return text;
}

// The first thing that is wrong with the form of the grammar, or nothing.
inline std::string broken_invariant(const Grammar& grammar) {
  const std::uint32_t rules = grammar.rule_count();
  std::vector<std::uint64_t> uses(rules, 0);
  std::map<std::pair<Symbol, Symbol>, std::vector<std::pair<std::uint32_t, std::size_t>>> places;
  for (std::uint32_t rule = 0; rule < rules; ++rule) {
    const auto body = grammar.rule(rule);
    if (rule != 0 && body.size() < 2) return "rule " + std::to_string(rule) + " is too short";
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (is_rule(body[i])) {
        if (rule_index(body[i]) >= rules) return "a rule that is not there is used";
        ++uses[rule_index(body[i])];
      }
      if (i + 1 < body.size()) places[{body[i], body[i + 1]}].emplace_back(rule, i);
    }
  }
  if (uses[0] != 0) return "the start rule is used";
  for (std::uint32_t rule = 1; rule < rules; ++rule) {
    if (uses[rule] < 2) return "rule " + std::to_string(rule) + " is used less than twice";
  }
  for (const auto& [digram, where] : places) {
    for (std::size_t i = 0; i < where.size(); ++i) {
      for (std::size_t j = i + 1; j < where.size(); ++j) {
        const bool overlap =
            where[i].first == where[j].first && where[j].second - where[i].second == 1;
        if (!overlap) {
          return "digram " + std::to_string(digram.first) + "," + std::to_string(digram.second) +
                 " occurs twice";
        }
      }
    }
  }
  return "";
}

}  // namespace pathspool::grammar::reference
