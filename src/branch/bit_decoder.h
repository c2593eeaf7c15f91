// A binary arithmetic decoder: the bits that its encoder was given, under the same probabilities.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/adaptive_bit.h"
#include "base/bytes.h"
#include "branch/interval.h"

namespace pathspool::branch {

// Fails stickily: it reads zeros past the end, and whatever it decodes from more of them than an
// encoder leaves out is meaningless, but defined. Check `failed()` once per block.
class BitDecoder {
 public:
  explicit BitDecoder(base::ByteView bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {
    for (unsigned i = 0; i < 8; ++i) offset_ = (offset_ << 8) | byte();
  }

  [[nodiscard]] bool bit(std::uint32_t probability_of_one) {
    const std::uint64_t share = share_of_one(size_, probability_of_one);
    bool one = false;
    if (offset_ < share) {
      keep_branch();
      size_ = share;
      one = true;
    } else {
      offset_ -= share;
      size_ -= share;
    }
    if (size_ < kLeastSize) [[unlikely]]
      move_in();
    return one;
  }

  [[nodiscard]] bool bit(base::AdaptiveBit& model) {
    const bool one = bit(model.probability_of_one());
    model.update(one);
    return one;
  }

  template <unsigned bits>
  [[nodiscard]] std::uint32_t tree(base::AdaptiveTree<bits>& model) {
    std::size_t node = 1;
    for (unsigned i = 0; i < bits; ++i) node = 2 * node + (bit(model.nodes[node]) ? 1 : 0);
    return static_cast<std::uint32_t>(node - (std::size_t{1} << bits));
  }

  [[nodiscard]] std::uint64_t direct(unsigned count) {
    std::uint64_t value = 0;
    while (count-- > 0) value = (value << 1) | (bit(base::kProbabilityOne / 2) ? 1 : 0);
    return value;
  }

  [[nodiscard]] bool failed() const { return beyond_ > kLeftOut; }

 private:
  // A processor foresees most bits, and goes on with the next one before this one is sure; if the
  // compiler made a conditional move of the branch, it would have to wait.
  static void keep_branch() { asm volatile(""); }

  static constexpr std::uint64_t kLeftOut = 8;

  [[gnu::noinline]] void move_in() {
    for (unsigned i = 0; i < kMovedBits / 8; ++i) offset_ = (offset_ << 8) | byte();
    size_ <<= kMovedBits;
  }

  std::uint8_t byte() {
    if (next_ != end_) return *next_++;
    ++beyond_;
    return 0;
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint64_t offset_ = 0;  // of the encoded number from the interval's lower end
  std::uint64_t size_ = kFullSize;
  std::uint64_t beyond_ = 0;  // bytes asked for past the end: an encoder leaves out kLeftOut
};

}  // namespace pathspool::branch
