// A range decoder: the bits that a range encoder was given, under the same probabilities.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/adaptive_bit.h"
#include "base/bytes.h"

namespace pathspool::base {

// Fails stickily: it reads zeros past the end, and whatever it decodes from more of them than an
// encoder leaves out is meaningless, but defined. Check `failed()` once per block.
class RangeDecoder {
 public:
  explicit RangeDecoder(ByteView bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {
    for (unsigned i = 0; i < kRangeBits / 8; ++i) offset_ = (offset_ << 8) | byte();
  }

  [[nodiscard]] bool bit(std::uint32_t probability_of_one) {
    const std::uint64_t share = (range_ >> kProbabilityBits) * probability_of_one;
    const bool one = offset_ < share;
    if (one) {
      range_ = share;
    } else {
      offset_ -= share;
      range_ -= share;
    }
    normalize();
    return one;
  }

  [[nodiscard]] bool bit(AdaptiveBit& model) {
    const bool one = bit(model.probability_of_one());
    model.update(one);
    return one;
  }

  template <unsigned bits>
  [[nodiscard]] std::uint32_t tree(AdaptiveTree<bits>& tree_model) {
    std::size_t node = 1;
    for (unsigned i = 0; i < bits; ++i) node = 2 * node + (bit(tree_model.nodes[node]) ? 1 : 0);
    return static_cast<std::uint32_t>(node - (std::size_t{1} << bits));
  }

  [[nodiscard]] std::uint64_t direct(unsigned count) {
    std::uint64_t value = 0;
    while (count > 0) {
      const unsigned step = count < 16 ? count : 16;
      count -= step;
      range_ >>= step;
      const std::uint64_t piece = clamp(offset_ / range_, std::uint64_t{1} << step);
      offset_ -= range_ * piece;
      value = (value << step) | piece;
      normalize();
    }
    return value;
  }

  // Bytes that were taken from beyond the end: an encoder leaves out kLeftOut of them.
  [[nodiscard]] std::uint64_t bytes_beyond_end() const { return beyond_; }
  [[nodiscard]] bool failed() const { return failed_ || beyond_ > kLeftOut; }

 private:
  static constexpr std::uint64_t kLeftOut = kRangeBits / 8 - 1;

  // Rounding leaves a little of the interval to nobody; an encoder never points there.
  std::uint64_t clamp(std::uint64_t piece, std::uint64_t total) {
    if (piece < total) return piece;
    failed_ = true;
    return total - 1;
  }

  void normalize() {
    while (range_ < kLeastRange) {
      range_ <<= 8;
      offset_ = (offset_ << 8) | byte();
    }
  }

  std::uint8_t byte() {
    if (next_ != end_) return *next_++;
    ++beyond_;
    return 0;
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint64_t offset_ = 0;  // of the encoded number from the interval's lower end
  std::uint64_t range_ = kFullRange;
  std::uint64_t beyond_ = 0;
  bool failed_ = false;
};

}  // namespace pathspool::base
