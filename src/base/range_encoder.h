// A range encoder: bits under given probabilities to bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/adaptive_bit.h"
#include "base/bytes.h"

namespace pathspool::base {

// Narrows [low, low + range) for every bit; see G. N. N. Martin, "Range encoding" (1979). A carry
// out of `low` runs back through the bytes already written: each byte 0xff that it passes becomes
// 0x00 and is not passed again soon, so this costs nothing on average.
class RangeEncoder {
 public:
  void bit(std::uint32_t probability_of_one, bool one) {
    const std::uint64_t share = (range_ >> kProbabilityBits) * probability_of_one;
    if (one) {
      range_ = share;
    } else {
      low_ += share;
      range_ -= share;
    }
    normalize();
  }

  void bit(AdaptiveBit& model, bool one) {
    bit(model.probability_of_one(), one);
    model.update(one);
  }

  template <unsigned bits>
  void tree(AdaptiveTree<bits>& tree_model, std::uint32_t value) {
    std::size_t node = 1;
    for (unsigned left = bits; left-- > 0;) {
      const bool one = ((value >> left) & 1) != 0;
      bit(tree_model.nodes[node], one);
      node = 2 * node + (one ? 1 : 0);
    }
  }

  // The lowest `count` bits of `value`, highest first, each as likely as not.
  void direct(std::uint64_t value, unsigned count) {
    while (count > 0) {
      const unsigned step = count < 16 ? count : 16;
      count -= step;
      range_ >>= step;
      low_ += range_ * ((value >> count) & ((1U << step) - 1));
      normalize();
    }
  }

  // One byte always suffices to name a number in the interval when zeros follow it: the decoder
  // reads zeros past the end.
  [[nodiscard]] Bytes finish() {
    low_ += kLeastRange - 1;
    move_out();
    Bytes bytes = std::move(bytes_);
    *this = RangeEncoder();
    return bytes;
  }

 private:
  void normalize() {
    while (range_ < kLeastRange) {
      move_out();
      range_ <<= 8;
    }
  }

  void move_out() {
    if (low_ > kFullRange) {
      std::size_t at = bytes_.size();
      // The number written so far is below 1, so the carry stops before the first byte.
      while (++bytes_[--at] == 0) {
      }
    }
    bytes_.push_back(static_cast<std::uint8_t>(low_ >> (kRangeBits - 8)));
    low_ = (low_ & (kLeastRange - 1)) << 8;
  }

  std::uint64_t low_ = 0;
  std::uint64_t range_ = kFullRange;
  Bytes bytes_;
};

}  // namespace pathspool::base
