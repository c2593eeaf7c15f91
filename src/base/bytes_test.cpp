#include "base/bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pathspool::base {
namespace {

RC_GTEST_PROP(Bytes, numbers_and_strings_come_back, ()) {
  const auto numbers = *rc::gen::arbitrary<std::vector<std::uint64_t>>();
  const auto text = *rc::gen::arbitrary<std::string>();
  ByteWriter writer;
  for (const std::uint64_t number : numbers) {
    writer.varint(number);
    writer.signed_varint(static_cast<std::int64_t>(number));
    writer.u64(number);
    writer.u32(static_cast<std::uint32_t>(number));
  }
  writer.string(text);
  ByteReader reader(writer.view());
  for (const std::uint64_t number : numbers) {
    RC_ASSERT(reader.varint() == number);
    RC_ASSERT(reader.signed_varint() == static_cast<std::int64_t>(number));
    RC_ASSERT(reader.u64() == number);
    RC_ASSERT(reader.u32() == static_cast<std::uint32_t>(number));
  }
  RC_ASSERT(reader.string() == text);
  RC_ASSERT(reader.done());
}

TEST(Bytes, reading_past_the_end_fails_and_stays_failed) {
  const Bytes two = {1, 2};
  ByteReader reader(two);
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.u8(), 0U);
  EXPECT_EQ(reader.left(), 0U);
  EXPECT_FALSE(reader.done());
}

TEST(Bytes, a_varint_of_more_than_64_bits_fails) {
  const Bytes long_one = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  ByteReader reader(long_one);
  reader.varint();
  EXPECT_TRUE(reader.failed());
}

TEST(Bytes, a_count_larger_than_what_is_left_fails) {
  ByteWriter writer;
  writer.varint(1'000'000);
  writer.u32(0);
  ByteReader reader(writer.view());
  EXPECT_EQ(reader.count(1), 0U);
  EXPECT_TRUE(reader.failed());
}

}  // namespace
}  // namespace pathspool::base
