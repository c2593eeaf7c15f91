#include "match/control_masks.h"

#include <gtest/gtest.h>

#include <random>

namespace pathspool::match {
namespace {

#ifdef PATHSPOOL_CONTROL_MASKS

template <typename Test>
std::uint64_t expected(const std::uint8_t* bytes, const Test& test) {
  std::uint64_t mask = 0;
  for (int i = 0; i < 64; ++i) mask |= std::uint64_t{test(bytes[i])} << i;
  return mask;
}

TEST(ControlMasks, each_byte_has_its_bit) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::uint8_t bytes[64];
    for (std::uint8_t& byte : bytes) {
      constexpr std::uint8_t kSpecial[] = {0, 1, 0x7f, 0x80, 0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xff};
      byte = random() % 2 == 0 ? kSpecial[random() % std::size(kSpecial)]
                               : static_cast<std::uint8_t>(random());
    }
    const ControlMasks masks(bytes);
    EXPECT_EQ(masks.controls(), expected(bytes, [](int b) { return b == 0 || b >= 0xf0; }));
    EXPECT_EQ(masks.high(), expected(bytes, [](int b) { return b >= 0x80; }));
    EXPECT_EQ(masks.equal_to(0), expected(bytes, [](int b) { return b == 0; }));
    EXPECT_EQ(masks.equal_to(0xf1), expected(bytes, [](int b) { return b == 0xf1; }));
  }
}

#endif

}  // namespace
}  // namespace pathspool::match
