#include "branch/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace pathspool::branch {
namespace {

TEST(Logistic, squash_is_the_logistic_function) {
  for (int odds = -kMostOdds; odds <= kMostOdds; ++odds) {
    const double exact = 65536 / (1 + std::exp(-odds / 256.0));
    EXPECT_NEAR(squash(odds), exact, 0.51) << odds;
    EXPECT_EQ(squash(odds) + squash(-odds), 65536U);
  }
}

TEST(Logistic, squash_is_never_certain) {
  EXPECT_EQ(squash(limited_odds(-1'000'000)), 1U);
  EXPECT_EQ(squash(limited_odds(1'000'000)), 65535U);
}

TEST(Logistic, stretch_undoes_squash) {
  constexpr std::uint32_t kSize = 1U << kStretchedBits;
  for (std::uint32_t i = 0; i < kSize; ++i) {
    const std::uint32_t probability = i << (32 - kStretchedBits);
    const double p = (i + 0.5) / kSize;
    EXPECT_NEAR(stretch(probability), 256 * std::log(p / (1 - p)), 1.01) << i;
    EXPECT_EQ(stretch(probability), -stretch(~probability));
  }
}

}  // namespace
}  // namespace pathspool::branch
