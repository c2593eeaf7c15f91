// What 64 bytes of coded events are, a bit for each byte, lowest first: where the machine can
// compare many bytes at a time. The scanner has its own way where it cannot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spool/event_coding.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PATHSPOOL_CONTROL_MASKS
#include <arm_neon.h>
#elif defined(__SSE2__)
#define PATHSPOOL_CONTROL_MASKS
#include <emmintrin.h>
#endif

namespace pathspool::match {

#ifdef PATHSPOOL_CONTROL_MASKS
inline constexpr std::ptrdiff_t kMaskedBytes = 64;
#endif

#if defined(PATHSPOOL_CONTROL_MASKS) && defined(__aarch64__)

class ControlMasks {
 public:
  explicit ControlMasks(const std::uint8_t* bytes) : bytes_(vld1q_u8_x4(bytes)) {}

  // No short blocks.
  [[nodiscard]] std::uint64_t controls() const {
    // 0 becomes the largest.
    return mask([](uint8x16_t b) {
      return vcgeq_u8(vsubq_u8(b, vdupq_n_u8(1)), vdupq_n_u8(spool::kLargestShortBlock));
    });
  }
  [[nodiscard]] std::uint64_t equal_to(std::uint8_t byte) const {
    return mask([byte](uint8x16_t b) { return vceqq_u8(b, vdupq_n_u8(byte)); });
  }
  // From 0x80 on.
  [[nodiscard]] std::uint64_t high() const {
    return mask([](uint8x16_t b) { return vcgeq_u8(b, vdupq_n_u8(0x80)); });
  }

 private:
  // `test` makes each byte all ones or zero.
  template <typename Test>
  [[nodiscard]] std::uint64_t mask(const Test& test) const {
    const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const uint8x16_t low =
        vpaddq_u8(vandq_u8(test(bytes_.val[0]), bits), vandq_u8(test(bytes_.val[1]), bits));
    const uint8x16_t high =
        vpaddq_u8(vandq_u8(test(bytes_.val[2]), bits), vandq_u8(test(bytes_.val[3]), bits));
    const uint8x16_t sum = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
  }

  uint8x16x4_t bytes_;
};

#elif defined(PATHSPOOL_CONTROL_MASKS)

class ControlMasks {
 public:
  explicit ControlMasks(const std::uint8_t* bytes) {
    for (int i = 0; i < 4; ++i) {
      bytes_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    }
  }

  // No short blocks.
  [[nodiscard]] std::uint64_t controls() const {
    // 0 becomes the largest; the larger of it and the bound is it, if it is not below.
    const __m128i bound = _mm_set1_epi8(static_cast<char>(spool::kLargestShortBlock));
    return mask([bound](__m128i b) {
      const __m128i less = _mm_sub_epi8(b, _mm_set1_epi8(1));
      return _mm_cmpeq_epi8(_mm_max_epu8(less, bound), less);
    });
  }
  [[nodiscard]] std::uint64_t equal_to(std::uint8_t byte) const {
    const __m128i other = _mm_set1_epi8(static_cast<char>(byte));
    return mask([other](__m128i b) { return _mm_cmpeq_epi8(b, other); });
  }
  // From 0x80 on.
  [[nodiscard]] std::uint64_t high() const {
    return mask([](__m128i b) { return b; });
  }

 private:
  // `test` sets the highest bit of each byte or does not.
  template <typename Test>
  [[nodiscard]] std::uint64_t mask(const Test& test) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) {
      const auto part = static_cast<std::uint32_t>(_mm_movemask_epi8(test(bytes_[i])));
      bits |= std::uint64_t{part} << (16 * i);
    }
    return bits;
  }

  __m128i bytes_[4];
};

#endif

}  // namespace pathspool::match
