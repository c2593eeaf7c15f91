// A model of unsigned numbers of any size, for a range encoder and its decoder.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/adaptive_bit.h"

namespace pathspool::base {

// Like Elias's gamma code: how many bits the number has, by a tree of adaptive bits, then the bits
// below its highest one: the first kModelled of them adaptive, by width, the rest as they are.
class AdaptiveNumber {
 public:
  template <typename Encoder>
  void encode(Encoder& encoder, std::uint64_t number) {
    const auto width = static_cast<unsigned>(std::bit_width(number));
    if (width < kEscape) {
      encoder.tree(narrow_, width);
    } else {
      encoder.tree(narrow_, kEscape);
      encoder.tree(wide_, width - kEscape);
    }
    if (width < 2) return;
    std::size_t node = 1;
    unsigned left = width - 1;
    for (unsigned i = 0; i < kModelled && left > 0; ++i) {
      const bool one = ((number >> --left) & 1) != 0;
      encoder.bit(mantissa_[width][node], one);
      node = 2 * node + (one ? 1 : 0);
    }
    encoder.direct(number, left);
  }

  // Any number can come of damaged bytes, so all of them are in range.
  template <typename Decoder>
  [[nodiscard]] std::uint64_t decode(Decoder& decoder) {
    unsigned width = decoder.tree(narrow_);
    if (width == kEscape) width = std::min(kEscape + decoder.tree(wide_), 64U);
    if (width < 2) return width;
    std::size_t node = 1;
    unsigned left = width - 1;
    while (left > 0 && node < kNodes) {
      --left;
      node = 2 * node + (decoder.bit(mantissa_[width][node]) ? 1 : 0);
    }
    // The node's number is the leading one and the bits after it.
    return (std::uint64_t{node} << left) | decoder.direct(left);
  }

 private:
  static constexpr unsigned kEscape = 15;
  static constexpr unsigned kModelled = 3;
  static constexpr std::size_t kNodes = std::size_t{1} << kModelled;

  AdaptiveTree<4> narrow_{};
  AdaptiveTree<6> wide_{};
  std::array<std::array<AdaptiveBit, kNodes>, 65> mantissa_{};
};

}  // namespace pathspool::base
