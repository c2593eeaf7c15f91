// Probabilities and their logarithmic odds, in integers: every machine gets the same tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pathspool::branch {

// Odds are natural logarithms in 1/256: 256 ln(p / (1 - p)), to +-kMostOdds, where a probability
// of 16 bits ends.
inline constexpr int kMostOdds = 2879;
// What is stretched has so many bits: more of them made nothing smaller.
inline constexpr unsigned kStretchedBits = 12;

namespace logistic {

__extension__ using Wide = unsigned __int128;

inline constexpr std::size_t kExponentials = kMostOdds + 1;
inline constexpr unsigned kFractionBits = 40;

// exp(i / 256), with kFractionBits behind the point.
inline constexpr std::array<std::uint64_t, kExponentials> kExponential = [] {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 62;
  // exp(1 / 256) by its series.
  std::uint64_t step = 0;
  std::uint64_t term = kOne;
  for (unsigned i = 1; term > 0; ++i) {
    step += term;
    term = term / 256 / i;
  }
  std::array<std::uint64_t, kExponentials> table{};
  std::uint64_t value = std::uint64_t{1} << kFractionBits;
  for (std::uint64_t& entry : table) {
    entry = value;
    value = static_cast<std::uint64_t>((Wide{value} * step + kOne / 2) >> 62);
  }
  return table;
}();

inline constexpr auto kSquash = [] {
  std::array<std::uint16_t, 2 * kMostOdds + 1> table{};
  for (int odds = 0; odds <= kMostOdds; ++odds) {
    const Wide e = kExponential[static_cast<std::size_t>(odds)];
    const Wide sum = e + (Wide{1} << kFractionBits);
    auto p = static_cast<std::uint32_t>(((e << 16) + sum / 2) / sum);
    if (p > 65535) p = 65535;
    table[static_cast<std::size_t>(kMostOdds + odds)] = static_cast<std::uint16_t>(p);
    table[static_cast<std::size_t>(kMostOdds - odds)] = static_cast<std::uint16_t>(65536 - p);
  }
  return table;
}();

// The odds of the middle of each interval of probabilities.
inline constexpr auto kStretch = [] {
  constexpr std::size_t kSize = std::size_t{1} << kStretchedBits;
  std::array<std::int16_t, kSize> table{};
  std::size_t odds = 0;
  for (std::size_t i = kSize / 2; i < kSize; ++i) {
    // p / (1 - p) = above / below
    const std::uint64_t above = 2 * i + 1;
    const std::uint64_t below = 2 * kSize - above;
    while (odds + 1 < kExponentials &&
           Wide{kExponential[odds + 1]} * below <= Wide{above} << kFractionBits) {
      ++odds;
    }
    table[i] = static_cast<std::int16_t>(odds);
    table[kSize - 1 - i] = static_cast<std::int16_t>(-static_cast<int>(odds));
  }
  return table;
}();

}  // namespace logistic

// The odds of a probability of 32 bits.
[[nodiscard]] inline int stretch(std::uint32_t probability) {
  return logistic::kStretch[probability >> (32 - kStretchedBits)];
}

// The probability of odds within +-kMostOdds, in 16 bits: neither 0 nor 1.
[[nodiscard]] inline std::uint32_t squash(int odds) {
  return logistic::kSquash[static_cast<std::size_t>(odds + kMostOdds)];
}

// The bit minus its probability, in 16 bits; no branch, since nobody can foresee the bit.
[[nodiscard]] inline int error_of(bool bit, std::uint32_t probability) {
  return (65535 & -static_cast<int>(bit)) - static_cast<int>(probability);
}

[[nodiscard]] constexpr int limited_odds(int odds) {
  return odds > kMostOdds ? kMostOdds : odds < -kMostOdds ? -kMostOdds : odds;
}

}  // namespace pathspool::branch
