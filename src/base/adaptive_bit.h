// The model that a range encoder and its decoder share: how likely the next bit is a one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pathspool::base {

// Probabilities that a coder is given are 16-bit fractions, from kLeastProbability to
// kProbabilityOne - kLeastProbability: a certain bit costs 0.00018 bits, a surprise 13.
inline constexpr unsigned kProbabilityBits = 16;
inline constexpr std::uint32_t kProbabilityOne = 1U << kProbabilityBits;
inline constexpr std::uint32_t kLeastProbability = 8;

// An average of the bits seen so far that forgets exponentially. The n-th bit moves it by 1/(n
// + 1.5), which is the average of a stationary source, down to 1/kSlowest: short blocks cannot
// afford to learn slowly, long ones cannot afford to be noisy. Integers only: every machine sees
// the same.
class AdaptiveBit {
 public:
  static constexpr std::uint32_t kSlowest = 192;

  constexpr AdaptiveBit() = default;
  // Starts from a known probability, trusted as if `seen` bits had been seen.
  constexpr AdaptiveBit(std::uint32_t probability_of_one, std::uint32_t seen)
      : average_(probability_of_one << (kAverageBits - kProbabilityBits)),
        seen_(seen < kSlowest ? seen : kSlowest) {}

  [[nodiscard]] constexpr std::uint32_t probability_of_one() const {
    const std::uint32_t probability = average_ >> (kAverageBits - kProbabilityBits);
    if (probability < kLeastProbability) return kLeastProbability;
    if (probability > kProbabilityOne - kLeastProbability) {
      return kProbabilityOne - kLeastProbability;
    }
    return probability;
  }

  constexpr void update(bool bit) {
    const std::uint32_t rate = kRates[seen_];
    const std::uint32_t ones = (1U << kAverageBits) - 1;
    // Both differences are below 2^22 and a rate is below 2^16, hence the 64 bits.
    const std::uint32_t distance = bit ? ones - average_ : average_;
    const auto step = static_cast<std::uint32_t>((std::uint64_t{distance} * rate) >> 16);
    average_ = bit ? average_ + step : average_ - step;
    seen_ += seen_ < kSlowest ? 1 : 0;
  }

 private:
  static constexpr unsigned kAverageBits = 22;  // 6 more than are used, so that it does not stall

  static constexpr std::array<std::uint16_t, kSlowest + 1> kRates = [] {
    std::array<std::uint16_t, kSlowest + 1> rates{};
    for (std::size_t n = 0; n < rates.size(); ++n) {
      rates[n] = static_cast<std::uint16_t>(2 * kProbabilityOne / (2 * n + 3));
    }
    return rates;
  }();

  std::uint32_t average_ = 1U << (kAverageBits - 1);
  std::uint32_t seen_ = 0;
};

// A symbol of `bits` bits as that many decisions, each with its own model: the coders walk it.
template <unsigned bits>
struct AdaptiveTree {
  std::array<AdaptiveBit, std::size_t{1} << bits> nodes{};
};

// What both coders need to know about the interval that they narrow: it is kept at 2^48 or more by
// moving out whole bytes, so that no rounding can be noticed.
inline constexpr unsigned kRangeBits = 56;
inline constexpr std::uint64_t kFullRange = (std::uint64_t{1} << kRangeBits) - 1;
inline constexpr std::uint64_t kLeastRange = std::uint64_t{1} << (kRangeBits - 8);

}  // namespace pathspool::base
