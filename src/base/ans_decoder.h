// Decodes events under stored distributions: see ans_model.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/ans_model.h"
#include "base/bytes.h"

namespace pathspool::base {

// The shares of a distribution as a decoder looks them up.
class AnsTable {
 public:
  AnsTable() = default;
  explicit AnsTable(const AnsShares& shares) {
    std::uint32_t begin = 0;
    for (std::size_t code = 0; code < shares.sizes().size(); ++code) {
      const std::uint32_t size = shares.sizes()[code];
      if (size != 0 && entries_.empty()) entries_.resize(kAnsShares);
      for (std::uint32_t i = 0; i < size; ++i) {
        entries_[begin + i] = size | i << kOffsetAt | static_cast<std::uint32_t>(code) << kCodeAt;
      }
      begin += size;
    }
  }
  [[nodiscard]] bool is_empty() const { return entries_.empty(); }

 private:
  friend class AnsDecoder;
  // A share's entry: the size of its code's part, where in that it is, and the code.
  static constexpr unsigned kOffsetAt = kAnsTableBits + 1;
  static constexpr unsigned kCodeAt = kOffsetAt + kAnsTableBits;
  static_assert(kMostAnsCodes <= std::size_t{1} << (32 - kCodeAt));

  std::vector<std::uint32_t> entries_;  // by share
};

// Fails stickily: past the end it reads zeros, and what it decodes is meaningless but defined.
class AnsDecoder {
 public:
  explicit AnsDecoder(ByteView bytes) : bytes_(bytes) {
    const std::uint64_t low = next_word();
    at_ += kWordBytes;
    state_ = std::uint64_t{next_word()} << 32 | low;
    at_ += kWordBytes;
  }

  // The table is not empty.
  [[nodiscard]] std::uint32_t code(const AnsTable& table) {
    const std::uint32_t entry = table.entries_[state_ & (kAnsShares - 1)];
    const std::uint32_t size = entry & (2 * kAnsShares - 1);
    const std::uint32_t offset = entry >> AnsTable::kOffsetAt & (kAnsShares - 1);
    state_ = size * (state_ >> kAnsTableBits) + offset;
    refill();
    return entry >> AnsTable::kCodeAt;
  }
  [[nodiscard]] std::uint32_t bits(unsigned count) {
    const auto value = static_cast<std::uint32_t>(state_ & ((std::uint64_t{1} << count) - 1));
    state_ >>= count;
    refill();
    return value;
  }
  // The choice is not one of none.
  [[nodiscard]] std::uint32_t choice(const EvenChoice& choice) {
    const auto low = static_cast<std::uint32_t>(state_ & ((std::uint64_t{1} << choice.bits) - 1));
    // Which it is cannot be foreseen, so no branch.
    const std::uint32_t is_long = low >= choice.short_ones ? 1 : 0;
    const auto last = static_cast<std::uint32_t>(state_ >> choice.bits) & is_long;
    state_ >>= choice.bits + is_long;
    refill();
    return low + is_long * (low - choice.short_ones) + last;
  }

  // To be asked at the end: whether there was less to decode than was decoded, or more.
  [[nodiscard]] bool failed() const { return at_ > bytes_.size() || state_ != kAnsLow; }

 private:
  static constexpr std::size_t kWordBytes = 4;

  [[nodiscard]] std::uint32_t next_word() const {
    static constexpr std::array<std::uint8_t, kWordBytes> kZeros{};
    std::uint32_t word = 0;
    const bool is_there = at_ + kWordBytes <= bytes_.size();
    std::memcpy(&word, is_there ? bytes_.data() + at_ : kZeros.data(), kWordBytes);
    return word;
  }
  // Whether a word is needed cannot be foreseen, so no branch.
  void refill() {
    const bool is_low = state_ < kAnsLow;
    const std::uint64_t refilled = state_ << 32 | next_word();
    state_ = is_low ? refilled : state_;
    at_ += is_low ? kWordBytes : 0;
  }

  ByteView bytes_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 0;
};

}  // namespace pathspool::base
