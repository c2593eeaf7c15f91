// The coder of the models is base's; here is what the models ask of it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/range_decoder.h"
#include "base/range_encoder.h"

namespace pathspool::branch {
namespace {

TEST(BranchCoder, skewed_bits_cost_within_a_thousandth_of_the_ideal) {
  for (const std::uint32_t probability : {1U, 2U, 3U, 1000U, 32'768U, 65'533U, 65'534U, 65'535U}) {
    std::mt19937_64 random(probability);
    std::vector<bool> bits(8'000'000);
    double ideal = 0;
    base::RangeEncoder encoder;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      bits[i] = random() % 65536 < probability;
      const double share = probability / 65536.0;
      ideal -= std::log2(bits[i] ? share : 1 - share);
      encoder.bit(probability, bits[i]);
    }
    const base::Bytes bytes = encoder.finish();
    EXPECT_LE(8.0 * static_cast<double>(bytes.size()), 1.001 * ideal + 8) << probability;
    base::RangeDecoder decoder(bytes);
    std::size_t wrong = 0;
    for (const bool bit : bits) wrong += decoder.bit(probability) == bit ? 0 : 1;
    EXPECT_EQ(wrong, 0U) << probability;
    EXPECT_FALSE(decoder.failed());
  }
}

TEST(BranchCoder, changing_probabilities_cost_within_a_thousandth_of_the_ideal) {
  std::mt19937_64 random(7);
  std::vector<std::uint32_t> probabilities(1'000'000);
  std::vector<bool> bits(probabilities.size());
  double ideal = 0;
  base::RangeEncoder encoder;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    // As likely tiny as moderate.
    std::uint32_t& probability = probabilities[i];
    probability = 1 + static_cast<std::uint32_t>((random() % 65535) >> (random() % 16));
    if (random() % 2 == 0) probability = 65536 - probability;
    bits[i] = random() % 65536 < probability;
    const double share = probability / 65536.0;
    ideal -= std::log2(bits[i] ? share : 1 - share);
    encoder.bit(probability, bits[i]);
  }
  const base::Bytes bytes = encoder.finish();
  EXPECT_LE(8.0 * static_cast<double>(bytes.size()), 1.001 * ideal + 8);
  base::RangeDecoder decoder(bytes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    wrong += decoder.bit(probabilities[i]) == bits[i] ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace pathspool::branch
