#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/adaptive_bit.h"
#include "base/adaptive_number.h"
#include "base/range_decoder.h"
#include "base/range_encoder.h"

namespace pathspool::base {
namespace {

std::vector<bool> random_bits(std::size_t count, double probability_of_one) {
  std::mt19937_64 random(42);
  std::bernoulli_distribution one(probability_of_one);
  std::vector<bool> bits(count);
  for (std::size_t i = 0; i < count; ++i) bits[i] = one(random);
  return bits;
}

double cost(std::uint32_t probability_of_one, bool one) {
  const double p = probability_of_one / 65536.0;
  return -std::log2(one ? p : 1 - p);
}

TEST(RangeCoder, static_probabilities_cost_what_they_should) {
  for (const std::uint32_t probability : {8U, 700U, 20'000U, 32'768U, 60'000U, 65'528U}) {
    const auto bits = random_bits(2'000'000, probability / 65536.0);
    RangeEncoder encoder;
    double ideal = 0;
    for (const bool one : bits) {
      encoder.bit(probability, one);
      ideal += cost(probability, one);
    }
    const Bytes bytes = encoder.finish();
    EXPECT_LE(8.0 * static_cast<double>(bytes.size()), 1.001 * ideal + 8) << probability;
    RangeDecoder decoder(bytes);
    bool same = true;
    for (const bool one : bits) same = same && decoder.bit(probability) == one;
    EXPECT_TRUE(same);
    EXPECT_FALSE(decoder.failed());
  }
}

TEST(RangeCoder, adaptive_probabilities_cost_what_they_should) {
  for (const double probability : {0.0, 0.001, 0.1, 0.5, 0.97, 1.0}) {
    const auto bits = random_bits(1'000'000, probability);
    RangeEncoder encoder;
    AdaptiveBit model;
    double ideal = 0;
    for (const bool one : bits) {
      ideal += cost(model.probability_of_one(), one);
      encoder.bit(model, one);
    }
    const Bytes bytes = encoder.finish();
    EXPECT_LE(8.0 * static_cast<double>(bytes.size()), 1.001 * ideal + 8) << probability;
    RangeDecoder decoder(bytes);
    AdaptiveBit same_model;
    bool same = true;
    for (const bool one : bits) same = same && decoder.bit(same_model) == one;
    EXPECT_TRUE(same);
  }
}

TEST(RangeCoder, a_near_certain_bit_costs_less_than_half_a_thousandth) {
  RangeEncoder encoder;
  AdaptiveBit model;
  for (int i = 0; i < 1'000'000; ++i) encoder.bit(model, true);
  EXPECT_LT(encoder.finish().size(), 1'000'000 * 0.0005 / 8);
}

TEST(RangeCoder, adaptive_bits_come_close_to_the_entropy) {
  for (const double probability : {0.03, 0.1, 0.3}) {
    const auto bits = random_bits(1'000'000, probability);
    RangeEncoder encoder;
    AdaptiveBit model;
    for (const bool one : bits) encoder.bit(model, one);
    const double entropy =
        -probability * std::log2(probability) - (1 - probability) * std::log2(1 - probability);
    EXPECT_LT(8.0 * static_cast<double>(encoder.finish().size()), 1.02 * entropy * 1e6);
  }
}

TEST(RangeCoder, a_carry_runs_through_many_bytes) {
  // The lowest interval's upper end, just below a carry, then a step over it.
  RangeEncoder encoder;
  for (int i = 0; i < 400; ++i) encoder.bit(kProbabilityOne / 2, false);
  for (int i = 0; i < 400; ++i) encoder.bit(kProbabilityOne - kLeastProbability, i % 7 != 0);
  const Bytes bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  for (int i = 0; i < 400; ++i) ASSERT_FALSE(decoder.bit(kProbabilityOne / 2));
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(decoder.bit(kProbabilityOne - kLeastProbability), i % 7 != 0);
  }
}

RC_GTEST_PROP(RangeCoder, everything_mixed_comes_back, ()) {
  const auto numbers = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  RangeEncoder encoder;
  AdaptiveNumber number_model;
  AdaptiveTree<5> tree{};
  for (const std::uint64_t number : numbers) {
    number_model.encode(encoder, number);
    encoder.tree(tree, static_cast<std::uint32_t>(number % 32));
    encoder.direct(number, static_cast<unsigned>(number % 65));
    encoder.bit(kLeastProbability, (number & 1) != 0);
  }
  const Bytes bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  AdaptiveNumber same_model;
  AdaptiveTree<5> same_tree{};
  for (const std::uint64_t number : numbers) {
    RC_ASSERT(same_model.decode(decoder) == number);
    RC_ASSERT(decoder.tree(same_tree) == number % 32);
    const auto width = static_cast<unsigned>(number % 65);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    RC_ASSERT(decoder.direct(width) == (number & mask));
    RC_ASSERT(decoder.bit(kLeastProbability) == ((number & 1) != 0));
  }
  RC_ASSERT(!decoder.failed());
}

TEST(RangeCoder, extreme_numbers_come_back) {
  RangeEncoder encoder;
  AdaptiveNumber model;
  std::vector<std::uint64_t> numbers;
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    for (const std::uint64_t number : {power - 1, power, power + 1, ~power, ~std::uint64_t{0}}) {
      numbers.push_back(number);
    }
  }
  for (const std::uint64_t number : numbers) model.encode(encoder, number);
  const Bytes bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  AdaptiveNumber same_model;
  for (const std::uint64_t number : numbers) ASSERT_EQ(same_model.decode(decoder), number);
}

TEST(RangeCoder, reading_past_the_end_fails_and_stays_failed) {
  RangeEncoder encoder;
  encoder.direct(0x1234'5678'9abc'def0, 64);
  const Bytes bytes = encoder.finish();
  RangeDecoder decoder(bytes);
  EXPECT_EQ(decoder.direct(64), 0x1234'5678'9abc'def0);
  EXPECT_FALSE(decoder.failed());
  for (int i = 0; i < 100; ++i) static_cast<void>(decoder.direct(16));
  EXPECT_TRUE(decoder.failed());
  EXPECT_GT(decoder.bytes_beyond_end(), 100U);
  EXPECT_FALSE(RangeDecoder({}).failed() && RangeDecoder({}).bytes_beyond_end() == 0);
}

RC_GTEST_PROP(RangeCoder, any_bytes_decode_to_something, (const std::vector<std::uint8_t>& bytes)) {
  RangeDecoder decoder(bytes);
  AdaptiveNumber model;
  AdaptiveTree<6> tree{};
  for (int i = 0; i < 300; ++i) {
    static_cast<void>(model.decode(decoder));
    RC_ASSERT(decoder.tree(tree) < 64U);
  }
  RC_ASSERT(decoder.failed() || bytes.size() > 300U);
}

}  // namespace
}  // namespace pathspool::base
