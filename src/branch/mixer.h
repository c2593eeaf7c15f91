// Mixes the odds that several predictors give by weights that it learns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "branch/logistic.h"
#include "branch/table.h"

namespace pathspool::branch {

// Four times `fours` numbers that are worked on at once. Vector types of both compilers: loops
// would be left as they are where the compiler cannot see that nothing overlaps.
template <std::size_t fours>
class Lanes {
 public:
  using Four __attribute__((vector_size(16))) = std::int32_t;

  Lanes() = default;
  explicit Lanes(std::int32_t all) {
    for (Four& four : fours_) four = all - Four{};
  }
  Lanes(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d)
      : fours_{Four{a, b, c, d}} {}
  Lanes(const Lanes<1>& low, const Lanes<1>& high) : fours_{low.four(0), high.four(0)} {}

  [[nodiscard]] Four four(std::size_t i) const { return fours_[i]; }

  [[nodiscard]] Lanes operator+(const Lanes& other) const {
    return each([&](std::size_t i) { return fours_[i] + other.fours_[i]; });
  }
  [[nodiscard]] Lanes operator-(const Lanes& other) const {
    return each([&](std::size_t i) { return fours_[i] - other.fours_[i]; });
  }
  [[nodiscard]] Lanes operator*(const Lanes& other) const {
    return each([&](std::size_t i) { return fours_[i] * other.fours_[i]; });
  }
  [[nodiscard]] Lanes operator>>(int bits) const {
    return each([&](std::size_t i) { return fours_[i] >> bits; });
  }
  [[nodiscard]] Lanes within(std::int32_t most) const {
    const Four above = most - Four{};
    const Four below = -above;
    return each([&](std::size_t i) {
      const Four limited = fours_[i] > above ? above : fours_[i];
      return limited < below ? below : limited;
    });
  }
  [[nodiscard]] std::int32_t sum() const {
    Four all = fours_[0];
    for (std::size_t i = 1; i < fours; ++i) all += fours_[i];
    return all[0] + all[1] + all[2] + all[3];
  }
  [[nodiscard]] std::int32_t operator[](std::size_t lane) const {
    return fours_[lane / 4][lane % 4];
  }

 private:
  template <typename Make>
  [[nodiscard]] static Lanes each(const Make& make) {
    Lanes result;
    for (std::size_t i = 0; i < fours; ++i) result.fours_[i] = make(i);
    return result;
  }

  std::array<Four, fours> fours_;
};

// Logistic mixing: the sum of weight times odds, and after the bit each weight moves by its odds
// times the error. There are several sets of weights to choose from.
//
// A lesson is applied when the next one comes. Otherwise each bit of a loop would have to wait for
// all the arithmetic of the bit before, which takes as long as all the rest.
template <std::size_t count>
class Mixer {
 public:
  using Inputs = Lanes<(count + 3) / 4>;

  Mixer(std::size_t sets, std::int32_t first_weight) : sets_(sets, Inputs(first_weight)) {}

  [[nodiscard]] static std::size_t bytes(std::size_t sets) { return sets * sizeof(Inputs); }

  [[nodiscard]] int odds(std::size_t set, const Inputs& inputs) const {
    const Inputs& weights = sets_[set];
    if constexpr (count <= 4) {
      // The way through vector registers is longer than what they save here.
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += std::int64_t{weights[i]} * inputs[i];
      return limited_odds(static_cast<int>(sum >> kWeightBits));
    }
    // Each product is below 2^31 and is cut before they are added.
    return limited_odds((weights * inputs >> kCut).sum() >> (kWeightBits - kCut));
  }

  // `error`: the bit minus its probability, in 16 bits.
  void learn(std::size_t set, const Inputs& inputs, int error) {
    const Inputs step = (before_.inputs * Inputs(before_.error) + Inputs(1 << 15)) >> 16;
    sets_[before_.set] = (sets_[before_.set] + step).within(kMost);
    before_ = {inputs, error, set};
  }

 private:
  static constexpr int kWeightBits = 16;
  static constexpr int kCut = 8;
  static constexpr std::int32_t kMost = INT32_MAX / (kMostOdds + 1);

  struct Lesson {
    Inputs inputs{0};
    int error = 0;
    std::size_t set = 0;
  };

  Table<Inputs> sets_;
  Lesson before_;
};

}  // namespace pathspool::branch
