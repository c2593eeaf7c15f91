// A binary arithmetic encoder: bits under given probabilities to bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/adaptive_bit.h"
#include "base/bytes.h"
#include "branch/interval.h"

namespace pathspool::branch {

// Keeps [low, low + size). No branch depends on a bit, since nobody can foresee those that are
// worth coding. A carry out of `low` runs back through the bytes already written.
class BitEncoder {
 public:
  void bit(std::uint32_t probability_of_one, bool one) {
    const std::uint64_t share = share_of_one(size_, probability_of_one);
    const std::uint64_t mask = std::uint64_t{0} - (one ? 1 : 0);
    // One: the lower share. Zero: what is above it.
    const std::uint64_t step = share & ~mask;
    low_ += step;
    if (low_ < step) [[unlikely]]
      carry();
    size_ = (share & mask) | ((size_ - share) & ~mask);
    if (size_ < kLeastSize) [[unlikely]]
      move_out();
  }

  void bit(base::AdaptiveBit& model, bool one) {
    bit(model.probability_of_one(), one);
    model.update(one);
  }

  template <unsigned bits>
  void tree(base::AdaptiveTree<bits>& model, std::uint32_t value) {
    std::size_t node = 1;
    for (unsigned left = bits; left-- > 0;) {
      const bool one = ((value >> left) & 1) != 0;
      bit(model.nodes[node], one);
      node = 2 * node + (one ? 1 : 0);
    }
  }

  // The lowest `count` bits of `value`, highest first, each as likely as not.
  void direct(std::uint64_t value, unsigned count) {
    while (count-- > 0) bit(base::kProbabilityOne / 2, ((value >> count) & 1) != 0);
  }

  // As few bytes as name a number in the interval when zeros follow them.
  [[nodiscard]] base::Bytes finish() {
    unsigned count = 0;
    std::uint64_t below = kFullSize;
    while (((low_ + below) & ~below) - low_ >= size_) below = kFullSize >> (8 * ++count);
    const std::uint64_t last = (low_ + below) & ~below;
    if (last < low_) carry();
    for (unsigned i = 0; i < count; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(last >> (56 - 8 * i)));
    }
    base::Bytes bytes = std::move(bytes_);
    *this = BitEncoder();
    return bytes;
  }

 private:
  // What was written is below 1, so this stops before the first byte.
  [[gnu::noinline]] void carry() {
    std::size_t at = bytes_.size();
    while (++bytes_[--at] == 0) {
    }
  }

  [[gnu::noinline]] void move_out() {
    for (unsigned i = 0; i < kMovedBits / 8; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(low_ >> (56 - 8 * i)));
    }
    low_ <<= kMovedBits;
    size_ <<= kMovedBits;
  }

  std::uint64_t low_ = 0;
  std::uint64_t size_ = kFullSize;
  base::Bytes bytes_;
};

}  // namespace pathspool::branch
