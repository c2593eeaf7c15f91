// Mixes the odds that several predictors give by weights that it learns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "branch/logistic.h"
#include "branch/zeroed_table.h"

namespace pathspool::branch {

inline constexpr std::size_t kLanes = 8;

// Eight numbers that are worked on at once. Vector types of both compilers: a loop would be left as
// it is where the compiler cannot see that nothing overlaps.
class Lanes {
 public:
  using Four __attribute__((vector_size(16))) = std::int32_t;

  Lanes() = default;
  explicit Lanes(std::int32_t all) : low_(all - Four{}), high_(all - Four{}) {}
  Lanes(Four low, Four high) : low_(low), high_(high) {}

  [[nodiscard]] Lanes operator+(const Lanes& b) const { return {low_ + b.low_, high_ + b.high_}; }
  [[nodiscard]] Lanes operator-(const Lanes& b) const { return {low_ - b.low_, high_ - b.high_}; }
  [[nodiscard]] Lanes operator*(const Lanes& b) const { return {low_ * b.low_, high_ * b.high_}; }
  [[nodiscard]] Lanes operator>>(int bits) const { return {low_ >> bits, high_ >> bits}; }
  [[nodiscard]] Lanes within(std::int32_t most) const {
    const Lanes above(most);
    const Lanes below(-most);
    return {low_ > above.low_   ? above.low_
            : low_ < below.low_ ? below.low_
                                : low_,
            high_ > above.high_   ? above.high_
            : high_ < below.high_ ? below.high_
                                  : high_};
  }
  [[nodiscard]] std::int32_t sum() const {
    const Four both = low_ + high_;
    return both[0] + both[1] + both[2] + both[3];
  }
  [[nodiscard]] std::int32_t operator[](std::size_t lane) const {
    return lane < 4 ? low_[lane] : high_[lane - 4];
  }

 private:
  Four low_;
  Four high_;
};

// Logistic mixing: the sum of weight times odds, and after the bit each weight moves by its odds
// times the error. There are several sets of weights to choose from.
class Mixer {
 public:
  explicit Mixer(std::size_t sets) : sets_(sets) {
    for (std::size_t i = 0; i < sets; ++i) sets_[i] = Lanes(kFirst);
  }

  [[nodiscard]] static std::size_t bytes(std::size_t sets) { return sets * sizeof(Lanes); }

  [[nodiscard]] int odds(std::size_t set, const Lanes& inputs) const {
    // Each product is below 2^31 and is cut before eight of them are added.
    return limited_odds((sets_[set] * inputs >> kCut).sum() >> (kWeightBits - kCut));
  }

  // `error`: the bit minus its probability, in 16 bits.
  void learn(std::size_t set, const Lanes& inputs, int error) {
    const Lanes step = (inputs * Lanes(error * kRate / 16) + Lanes(1 << 15)) >> 16;
    sets_[set] = (sets_[set] + step).within(kMost);
  }

 private:
  static constexpr int kWeightBits = 16;
  static constexpr int kCut = 8;
  static constexpr int kRate = 14;
  static constexpr std::int32_t kFirst = 20'000;
  static constexpr std::int32_t kMost = INT32_MAX / (kMostOdds + 1);

  ZeroedTable<Lanes> sets_;
};

}  // namespace pathspool::branch
