// Corrects a probability by what came of it before: secondary symbol estimation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "branch/logistic.h"
#include "branch/table.h"

namespace pathspool::branch {

// For each context a curve over the odds, of kSteps points with straight lines between them.
class Refinement {
 public:
  explicit Refinement(std::size_t contexts) : points_(contexts * kSteps) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const int odds = static_cast<int>(i % kSteps * kWidth) - kOffset;
      points_[i] = squash(limited_odds(odds)) << 16;
    }
  }

  [[nodiscard]] static std::size_t bytes(std::size_t contexts) { return contexts * kSteps * 4; }

  // A probability of 16 bits, which may be 0.
  [[nodiscard]] std::uint32_t refined(std::size_t context, int odds) {
    const auto place = static_cast<std::uint32_t>(odds + kOffset);
    const std::uint32_t* const point = &points_[context * kSteps + place / kWidth];
    const std::uint32_t beyond = place % kWidth;
    nearest_ = context * kSteps + (place + kWidth / 2) / kWidth;
    return ((point[0] >> 16) * (kWidth - beyond) + (point[1] >> 16) * beyond) / kWidth;
  }

  // What came of the last one.
  void learn(bool bit) {
    std::uint32_t& point = points_[nearest_];
    const std::uint32_t mask = 0U - (bit ? 1 : 0);
    point += ((~point >> kRate) & mask) - ((point >> kRate) & ~mask);
  }

 private:
  static constexpr std::size_t kSteps = 24;
  static constexpr std::uint32_t kWidth = 256;
  static constexpr int kOffset = 2944;  // so that the outermost odds lie between points
  static constexpr unsigned kRate = 6;

  Table<std::uint32_t> points_;
  std::size_t nearest_ = 0;
};

}  // namespace pathspool::branch
