#include "codec/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "pathspool/error.h"

namespace pathspool::codec {
namespace {

constexpr std::size_t kMebi = 1 << 20;

base::Bytes noise(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  base::Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// Somewhat repetitive, as events are.
base::Bytes loops(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  base::Bytes bytes;
  bytes.reserve(size + 256);
  while (bytes.size() < size) {
    const std::size_t period = 1 + random() % 16;
    for (std::size_t i = 0; i < period; ++i) bytes.push_back(static_cast<std::uint8_t>(random()));
    for (std::size_t i = random() % 200; i > 0; --i) bytes.push_back(bytes[bytes.size() - period]);
  }
  bytes.resize(size);
  return bytes;
}

base::Bytes compressed(Codec codec, base::ByteView raw) {
  return Compressor(codec, raw.size()).compress(raw);
}

std::string refusal(Codec codec, base::ByteView stored, std::size_t raw_bytes) {
  base::Bytes raw(raw_bytes);
  try {
    Decompressor(codec).decompress(stored, raw);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class CodecTest : public testing::TestWithParam<Codec> {
 protected:
  const Codec codec_ = GetParam();
};

TEST_P(CodecTest, inputs_of_any_size_come_back_from_one_object_used_many_times) {
  Compressor compressor(codec_, 8 * kMebi);
  Decompressor decompressor(codec_);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4095}, std::size_t{4096},
        std::size_t{4097}, std::size_t{100'000}, std::size_t{0}, kMebi + 1, std::size_t{1}}) {
    for (const base::Bytes& raw : {loops(size), noise(size), base::Bytes(size, 0)}) {
      const base::Bytes stored = compressor.compress(raw);
      base::Bytes back(size, 0x55);
      decompressor.decompress(stored, back);
      EXPECT_EQ(back, raw) << size;
    }
  }
}

TEST_P(CodecTest, eight_mebibytes_come_back_and_shrink) {
  const base::Bytes raw = loops(8 * kMebi);
  const base::Bytes stored = compressed(codec_, raw);
  EXPECT_LT(stored.size(), raw.size() / 2);
  EXPECT_EQ(stored.capacity(), stored.size());
  base::Bytes back(raw.size());
  Decompressor(codec_).decompress(stored, back);
  EXPECT_TRUE(back == raw);
}

TEST_P(CodecTest, two_mebibytes_of_noise_fit_the_bound_and_come_back) {
  const base::Bytes raw = noise(2 * kMebi);
  const base::Bytes stored = compressed(codec_, raw);
  base::Bytes back(raw.size());
  Decompressor(codec_).decompress(stored, back);
  EXPECT_TRUE(back == raw);
}

RC_GTEST_PROP(Codec, arbitrary_bytes_come_back, (const base::Bytes& raw)) {
  for (const Codec codec : {Codec::gzip, Codec::bzip2, Codec::zstd, Codec::xz}) {
    const base::Bytes stored = compressed(codec, raw);
    base::Bytes back(raw.size());
    Decompressor(codec).decompress(stored, back);
    RC_ASSERT(back == raw);
  }
}

TEST_P(CodecTest, the_same_input_gives_the_same_bytes_whatever_came_before) {
  const base::Bytes raw = loops(50'000);
  Compressor used(codec_, 2 * kMebi);
  (void)used.compress(noise(kMebi));
  EXPECT_EQ(used.compress(raw), compressed(codec_, raw));
}

TEST_P(CodecTest, a_claim_of_more_bytes_than_there_are_throws) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
    const base::Bytes stored = compressed(codec_, loops(size));
    EXPECT_NE(refusal(codec_, stored, size + 1).find("fewer bytes than claimed"),
              std::string::npos);
    EXPECT_NE(refusal(codec_, stored, size + kMebi).find("fewer bytes than claimed"),
              std::string::npos);
  }
}

TEST_P(CodecTest, a_claim_of_fewer_bytes_than_there_are_throws) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{100'000}, 2 * kMebi}) {
    const base::Bytes stored = compressed(codec_, loops(size));
    for (const std::size_t claimed : {size - 1, size / 2, std::size_t{0}}) {
      EXPECT_NE(refusal(codec_, stored, claimed).find("more bytes than claimed"), std::string::npos)
          << size << " " << claimed << " " << refusal(codec_, stored, claimed);
    }
  }
}

TEST_P(CodecTest, bytes_after_the_end_throw) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
    const base::Bytes raw = loops(size);
    const base::Bytes stored = compressed(codec_, raw);
    base::Bytes one_more = stored;
    one_more.push_back(0);
    EXPECT_NE(refusal(codec_, one_more, size).find("bytes after the end"), std::string::npos);
    base::Bytes twice = stored;
    twice.insert(twice.end(), stored.begin(), stored.end());
    EXPECT_NE(refusal(codec_, twice, size).find("bytes after the end"), std::string::npos);
    EXPECT_NE(refusal(codec_, twice, 2 * size), "accepted");
  }
}

TEST_P(CodecTest, every_truncation_throws_and_the_object_recovers) {
  const base::Bytes raw = loops(3'000);
  const base::Bytes stored = compressed(codec_, raw);
  Decompressor decompressor(codec_);
  base::Bytes back(raw.size());
  for (std::size_t size = 0; size < stored.size(); ++size) {
    EXPECT_THROW(decompressor.decompress(base::ByteView(stored).first(size), back), Error) << size;
  }
  decompressor.decompress(stored, back);
  EXPECT_EQ(back, raw);
}

TEST_P(CodecTest, a_flipped_bit_anywhere_never_crashes_and_the_object_recovers) {
  const base::Bytes raw = loops(600);
  base::Bytes stored = compressed(codec_, raw);
  Decompressor decompressor(codec_);
  base::Bytes back(raw.size());
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
    stored[bit / 8] ^= mask;
    try {
      decompressor.decompress(stored, back);
    } catch (const Error&) {
      ++refused;
    }
    stored[bit / 8] ^= mask;
  }
  EXPECT_GT(refused, 0U);
  decompressor.decompress(stored, back);
  EXPECT_EQ(back, raw);
}

TEST_P(CodecTest, noise_is_refused_as_damaged) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::string message = refusal(codec_, noise(seed * 7, seed), 1000);
    EXPECT_EQ(message.find("damaged "), 0U) << seed << ": " << message;
  }
}

TEST_P(CodecTest, data_of_another_codec_is_refused_as_damaged) {
  for (const Codec other : {Codec::gzip, Codec::bzip2, Codec::zstd, Codec::xz}) {
    if (other == codec_) continue;
    EXPECT_EQ(refusal(codec_, compressed(other, loops(1000)), 1000).find("damaged "), 0U);
  }
}

TEST_P(CodecTest, the_memory_said_is_at_least_the_worst_output_and_grows_with_the_input) {
  EXPECT_GT(Compressor::memory_bytes(codec_, 0), 0U);
  EXPECT_GE(Compressor::memory_bytes(codec_, 8 * kMebi), 2 * 8 * kMebi);
  EXPECT_LT(Compressor::memory_bytes(codec_, kMebi), Compressor::memory_bytes(codec_, 8 * kMebi));
  EXPECT_LT(Compressor::memory_bytes(codec_, 8 * kMebi), 128 * kMebi);
}

TEST(Codec, an_unknown_number_from_a_file_is_refused) {
  EXPECT_THROW(Decompressor(static_cast<Codec>(9)), Error);
  EXPECT_THROW(Compressor(static_cast<Codec>(9), 1), Error);
}

TEST(Codec, the_formats_are_those_that_the_common_tools_read) {
  const base::Bytes raw = loops(1000);
  const auto starts_with = [&](Codec codec, const base::Bytes& magic) {
    const base::Bytes stored = compressed(codec, raw);
    return std::equal(magic.begin(), magic.end(), stored.begin());
  };
  EXPECT_TRUE(starts_with(Codec::gzip, {0x1f, 0x8b, 8}));
  EXPECT_TRUE(starts_with(Codec::bzip2, {'B', 'Z', 'h', '1'}));  // the level that holds the input
  EXPECT_TRUE(starts_with(Codec::zstd, {0x28, 0xb5, 0x2f, 0xfd}));
  EXPECT_TRUE(starts_with(Codec::xz, {0xfd, '7', 'z', 'X', 'Z', 0, 0, 0}));  // the last: no check
}

std::string test_name(const testing::TestParamInfo<Codec>& info) {
  constexpr const char* kNames[] = {"none", "gzip", "bzip2", "zstd", "xz"};
  return kNames[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Codecs, CodecTest,
                         testing::Values(Codec::gzip, Codec::bzip2, Codec::zstd, Codec::xz),
                         test_name);

}  // namespace
}  // namespace pathspool::codec
