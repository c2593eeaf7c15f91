// The coder, alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "branch/bit_decoder.h"
#include "branch/bit_encoder.h"

namespace pathspool::branch {
namespace {

TEST(BranchCoder, skewed_bits_cost_within_a_thousandth_of_the_ideal) {
  for (const std::uint32_t probability : {1U, 2U, 3U, 1000U, 32'768U, 65'533U, 65'534U, 65'535U}) {
    std::mt19937_64 random(probability);
    std::vector<bool> bits(8'000'000);
    double ideal = 0;
    BitEncoder encoder;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      bits[i] = random() % 65536 < probability;
      const double share = probability / 65536.0;
      ideal -= std::log2(bits[i] ? share : 1 - share);
      encoder.bit(probability, bits[i]);
    }
    const base::Bytes bytes = encoder.finish();
    EXPECT_LE(8.0 * static_cast<double>(bytes.size()), 1.001 * ideal + 8) << probability;
    BitDecoder decoder(bytes);
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
  BitEncoder encoder;
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
  BitDecoder decoder(bytes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    wrong += decoder.bit(probabilities[i]) == bits[i] ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(BranchCoder, a_carry_runs_through_many_bytes) {
  // Up to the upper end of the interval, where all bytes are 0xff, then over it.
  for (int before = 0; before < 300; ++before) {
    BitEncoder encoder;
    for (int i = 0; i < before; ++i) encoder.bit(65535, false);
    for (int i = 0; i < 500; ++i) encoder.bit(32768, false);
    for (int i = 0; i < 500; ++i) encoder.bit(60000, i % 7 != 0);
    const base::Bytes bytes = encoder.finish();
    BitDecoder decoder(bytes);
    for (int i = 0; i < before; ++i) ASSERT_FALSE(decoder.bit(65535));
    for (int i = 0; i < 500; ++i) ASSERT_FALSE(decoder.bit(32768));
    for (int i = 0; i < 500; ++i) ASSERT_EQ(decoder.bit(60000), i % 7 != 0);
    ASSERT_FALSE(decoder.failed());
  }
}

RC_GTEST_PROP(BranchCoder, any_bits_come_back, ()) {
  const auto words = *rc::gen::arbitrary<std::vector<std::uint32_t>>();
  BitEncoder encoder;
  for (const std::uint32_t word : words) {
    encoder.bit(1 + word % 65535, word >> 31 != 0);
    encoder.direct(word, word % 33);
  }
  const base::Bytes bytes = encoder.finish();
  BitDecoder decoder(bytes);
  for (const std::uint32_t word : words) {
    RC_ASSERT(decoder.bit(1 + word % 65535) == (word >> 31 != 0));
    const std::uint64_t mask = (std::uint64_t{1} << (word % 33)) - 1;
    RC_ASSERT(decoder.direct(word % 33) == (word & mask));
  }
  RC_ASSERT(!decoder.failed());
}

TEST(BranchCoder, nothing_takes_no_bytes) {
  EXPECT_TRUE(BitEncoder().finish().empty());
  BitDecoder decoder({});
  EXPECT_FALSE(decoder.failed());
  for (int i = 0; i < 100; ++i) (void)decoder.bit(32768);
  EXPECT_TRUE(decoder.failed());
}

}  // namespace
}  // namespace pathspool::branch
