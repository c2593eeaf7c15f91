#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/ans_decoder.h"
#include "base/ans_encoder.h"
#include "base/ans_model.h"

namespace pathspool::base {
namespace {

std::vector<std::uint64_t> counts_of(const std::vector<std::uint32_t>& codes, std::size_t size) {
  std::vector<std::uint64_t> counts(size);
  for (const std::uint32_t code : codes) ++counts[code];
  return counts;
}

RC_GTEST_PROP(Ans, what_was_coded_comes_back, ()) {
  const auto size = *rc::gen::inRange<std::uint32_t>(1, 128);
  const auto codes =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, size));
  const auto choices = *rc::gen::container<std::vector<std::uint32_t>>(
      codes.size(), rc::gen::arbitrary<std::uint32_t>());
  const AnsShares shares = AnsShares::from_counts(counts_of(codes, size));
  AnsEncoder encoder;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    encoder.code(shares, codes[i]);
    encoder.choice(EvenChoice(choices[i] / 2 + 1), choices[i] / 3);
    encoder.bits(choices[i] % 33, choices[i] % 33 == 32 ? choices[i] : choices[i] % 33 / 2);
  }
  const Bytes bytes = encoder.finish();
  AnsDecoder decoder(bytes);
  const AnsTable table(shares);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    RC_ASSERT(decoder.code(table) == codes[i]);
    RC_ASSERT(decoder.choice(EvenChoice(choices[i] / 2 + 1)) == choices[i] / 3);
    const unsigned bits = choices[i] % 33;
    const std::uint32_t expected = bits == 32 ? choices[i] : bits / 2;
    RC_ASSERT(decoder.bits(bits) == expected);
  }
  RC_ASSERT(!decoder.failed());
}

TEST(Ans, every_choice_of_a_few_comes_back) {
  for (std::uint32_t count = 1; count < 300; ++count) {
    AnsEncoder encoder;
    for (std::uint32_t i = 0; i < count; ++i) encoder.choice(EvenChoice(count), i);
    const Bytes bytes = encoder.finish();
    AnsDecoder decoder(bytes);
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(decoder.choice(EvenChoice(count)), i);
    EXPECT_FALSE(decoder.failed());
  }
}

TEST(Ans, a_skewed_source_is_coded_to_its_entropy) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> codes;
  for (int i = 0; i < 200'000; ++i) {
    codes.push_back(static_cast<std::uint32_t>(std::countr_zero(random() | 1U << 20)));
  }
  const std::vector<std::uint64_t> counts = counts_of(codes, 21);
  double ideal_bits = 0;
  for (const std::uint64_t count : counts) {
    if (count != 0) {
      ideal_bits -= static_cast<double>(count) *
                    std::log2(static_cast<double>(count) / static_cast<double>(codes.size()));
    }
  }
  const AnsShares shares = AnsShares::from_counts(counts);
  AnsEncoder encoder;
  for (const std::uint32_t code : codes) encoder.code(shares, code);
  EXPECT_LT(static_cast<double>(encoder.finish().size()) * 8, ideal_bits * 1.001 + 64);
}

TEST(Ans, what_happens_always_takes_no_space) {
  AnsEncoder encoder;
  const AnsShares shares = AnsShares::from_counts(std::vector<std::uint64_t>{0, 7});
  for (int i = 0; i < 1000; ++i) encoder.code(shares, 1);
  const Bytes bytes = encoder.finish();
  EXPECT_EQ(bytes.size(), 8U);
  AnsDecoder decoder(bytes);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(decoder.code(AnsTable(shares)), 1U);
  EXPECT_FALSE(decoder.failed());
}

TEST(Ans, shares_add_up_even_if_most_codes_are_rare) {
  std::vector<std::uint64_t> counts(kMostAnsCodes, 1);
  counts[5] = 1'000'000'000;
  AnsShares shares = AnsShares::from_counts(counts);
  EXPECT_EQ(shares.size(5), kAnsShares - kMostAnsCodes + 1);
  EXPECT_TRUE(shares.set_sizes({shares.sizes().begin(), shares.sizes().end()}));
  EXPECT_FALSE(shares.set_sizes({1, 2, 3}));
  EXPECT_TRUE(shares.set_sizes({0, 0}));
}

TEST(Ans, a_cut_or_longer_input_fails) {
  AnsEncoder encoder;
  for (std::uint32_t i = 0; i < 100; ++i) encoder.bits(13, i * 71 % 8192);
  const Bytes bytes = encoder.finish();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    AnsDecoder decoder(ByteView(bytes).first(size));
    for (int i = 0; i < 100; ++i) static_cast<void>(decoder.bits(13));
    EXPECT_TRUE(decoder.failed()) << size;
  }
  AnsDecoder decoder(bytes);
  for (int i = 0; i < 99; ++i) static_cast<void>(decoder.bits(13));
  EXPECT_TRUE(decoder.failed());
}

}  // namespace
}  // namespace pathspool::base
