// How symbols of a grammar are coded: what its encoder and its reader both know.
//
// Symbols are sorted into classes by how often the grammar uses them: class c holds those with
// 2^(c-1) to 2^c - 1 uses. That one number is nearly all that order-0 statistics have to say.
//
// The start rule is read from left to right. There a symbol is coded as its kind and class, under a
// stored distribution, and then as one of the members of the class, all alike. Rules are numbered
// by class, and within a class by their first use in the start rule. So a first use needs no
// number: it is coded as a kind of its own, `fresh`, and means the next of its class; and the
// others to choose from are those that are known by then.
//
// Bodies are read here and there, one at a time: they are numbers of two widths, see body_block.h.
// All symbols are in one row for that: some of the most used rules, all terminals, the other rules.
//
// Nothing of a rule but its number is needed to read a symbol: that is why chunks of the start rule
// and single bodies can be decoded alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/adaptive_number.h"
#include "base/ans_model.h"

namespace pathspool::grammar {

// Whatever a blob claims to hold, it holds at most this many of them per byte: the encoder adds
// zero bytes to one that is smaller, the reader refuses before it allocates.
inline constexpr std::uint64_t kMostSymbolsPerByte = 16;
inline constexpr std::uint64_t kMostRulesPerByte = 4;

inline constexpr std::size_t kClasses = 33;  // by bit width of the number of uses
[[nodiscard]] constexpr std::size_t class_of(std::uint32_t uses) {
  return static_cast<std::size_t>(std::bit_width(uses));
}

enum class SymbolKind : std::uint8_t { terminal, rule, fresh };
inline constexpr std::size_t kSymbolCodes = 3 * kClasses;
static_assert(kSymbolCodes <= base::kMostAnsCodes);
[[nodiscard]] constexpr std::uint32_t symbol_code(SymbolKind kind, std::size_t symbol_class) {
  return static_cast<std::uint32_t>(3 * symbol_class + static_cast<std::size_t>(kind));
}
[[nodiscard]] constexpr SymbolKind kind_of_code(std::uint32_t code) {
  return static_cast<SymbolKind>(code % 3);
}
[[nodiscard]] constexpr std::size_t class_of_code(std::uint32_t code) { return code / 3; }

inline constexpr std::uint32_t kLeastBody = 2;  // symbols

using ClassCounts = std::array<std::uint32_t, kClasses>;

// Where the members of each class begin, if the most used classes come first.
[[nodiscard]] constexpr ClassCounts begins_of(const ClassCounts& counts) {
  ClassCounts begins{};
  std::uint32_t sum = 0;
  for (std::size_t c = kClasses; c-- > 0;) {
    begins[c] = sum;
    sum += counts[c];
  }
  return begins;
}

// For the numbers of the symbol table.
struct TableModels {
  base::AdaptiveNumber rules;                        // in a class
  base::AdaptiveNumber shares;                       // of a code
  std::array<base::AdaptiveNumber, kClasses> fresh;  // of a class, in a chunk
};

}  // namespace pathspool::grammar
