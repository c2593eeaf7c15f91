// Switch cases and targets as a few bits each, for a model of bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/adaptive_number.h"
#include "branch/decision.h"
#include "branch/history.h"
#include "branch/table.h"
#include "branch/target_numbers.h"

namespace pathspool::branch {

// Is it the symbol that came after this path last time? The one after a shorter path? If neither:
// its bits from the highest. `first(key, bit)` codes the answer to the first question, `other`
// those to the others, under the given key, which stands for the site, the question and what is
// known by then.
class Symbols {
 public:
  Symbols() : candidates_(kCandidates) {}

  [[nodiscard]] static std::size_t bytes() {
    return kCandidates * sizeof(std::uint16_t) + TargetNumbers::bytes();
  }

  struct Paths {
    std::uint64_t longer = 0;
    std::uint64_t shorter = 0;
    std::optional<std::uint32_t> matched;  // what a long match expects
  };

  template <typename First, typename Other>
  std::uint32_t choice(std::uint32_t site, std::uint32_t count, std::uint32_t given,
                       const Paths& paths, const First& first_part, const Other& other_part) {
    const auto key = [&](std::uint32_t question) {
      return (site * 0x9e3779b1U + question * 0x85ebca6bU) >> 8;
    };
    const auto part = [&](std::uint32_t question, bool bit) {
      return other_part(key(question), bit);
    };
    std::uint16_t& after_longer = candidates_[((paths.longer + site) * kSpread) >> kShift];
    std::uint16_t& after_shorter = candidates_[((paths.shorter - site) * kSpread) >> kShift];
    const bool matches = paths.matched && *paths.matched < count;
    std::uint32_t first = matches ? *paths.matched : after_longer;
    if (first >= count) first = 0;
    std::uint32_t second = after_longer != first ? after_longer : after_shorter;
    if (second >= count) second = 0;

    std::uint32_t value = 0;
    if (first_part(key(4 * first + (matches ? 1 : 0)), given == first)) {
      value = first;
    } else if (second != first && part(4 * second + 2, given == second)) {
      value = second;
    } else {
      value = by_its_bits(count, given, part);
    }
    after_longer = static_cast<std::uint16_t>(value);
    after_shorter = static_cast<std::uint16_t>(value);
    return value;
  }

  // `symbol(count, given)` codes a choice: the number of a target, or one more for a new one.
  template <typename Coder, typename Symbol>
  Target target(Coder& coder, Target given, const Symbol& symbol) {
    const std::uint32_t known = targets_.size();
    const std::uint32_t number = symbol(known + 1, Coder::kEncodes ? targets_.find(given) : 0);
    if (number < known) return targets_[number];
    const auto id = coder.number(new_targets_, static_cast<std::uint32_t>(given));
    const Target target{static_cast<std::uint32_t>(id)};
    targets_.learn(target);
    return target;
  }

 private:
  static constexpr std::size_t kCandidates = std::size_t{1} << 15;
  static constexpr unsigned kShift = 64 - 15;

  template <typename Part>
  static std::uint32_t by_its_bits(std::uint32_t count, std::uint32_t given, const Part& part) {
    const auto bits = static_cast<unsigned>(std::bit_width(count - 1));
    std::uint64_t node = 1;
    for (unsigned i = bits; i-- > 0;) {
      const auto question = static_cast<std::uint32_t>(((node << 5) + bits) * 4 + 3);
      node = 2 * node + (part(question, ((given >> i) & 1) != 0) ? 1 : 0);
    }
    const auto value = static_cast<std::uint32_t>(node - (std::uint64_t{1} << bits));
    return value < count ? value : 0;  // beyond: damaged input only
  }

  Table<std::uint16_t> candidates_;  // what came after a path last time
  TargetNumbers targets_;
  base::AdaptiveNumber new_targets_;
};

}  // namespace pathspool::branch
