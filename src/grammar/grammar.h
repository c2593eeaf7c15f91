// A finished context-free grammar that derives exactly one string, as flat arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pathspool::grammar {

// A terminal's number, or a rule's with the top bit set.
using Symbol = std::uint32_t;
inline constexpr Symbol kRuleBit = 0x8000'0000;

[[nodiscard]] constexpr bool is_rule(Symbol symbol) { return (symbol & kRuleBit) != 0; }
[[nodiscard]] constexpr std::uint32_t rule_index(Symbol symbol) { return symbol & ~kRuleBit; }
[[nodiscard]] constexpr Symbol rule_symbol(std::uint32_t index) { return index | kRuleBit; }

// Rule r is symbols[begin[r] .. begin[r + 1]). Rule 0 is the start rule; it is used by no other,
// and every other rule is used at least twice and has at least two symbols.
struct Grammar {
  std::vector<Symbol> symbols;
  std::vector<std::uint32_t> begin = {0, 0};

  [[nodiscard]] std::uint32_t rule_count() const {
    return static_cast<std::uint32_t>(begin.size() - 1);
  }
  [[nodiscard]] std::span<const Symbol> rule(std::uint32_t index) const {
    return std::span(symbols).subspan(begin[index], begin[index + 1] - begin[index]);
  }
};

}  // namespace pathspool::grammar
