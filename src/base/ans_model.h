// What an encoder and a decoder of asymmetric numeral systems share: stored distributions.
//
// The range variant (Duda, "Asymmetric numeral systems", 2009): the coder is one number, the state;
// to code an event of `size` shares among 2^bits multiplies the state by about 2^bits / size. So
// coding reaches the entropy as a range coder does, but a decoder needs one look into a table, one
// multiplication and no division for an event of any distribution. What is coded last is decoded
// first, which the encoder sees to.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pathspool::base {

// States are kept in [kAnsLow, kAnsLow << 32) between events, by moving 32-bit words out and in.
inline constexpr std::uint64_t kAnsLow = std::uint64_t{1} << 32;
inline constexpr unsigned kAnsTableBits = 12;
inline constexpr std::uint32_t kAnsShares = 1U << kAnsTableBits;
inline constexpr std::size_t kMostAnsCodes = 128;

// How the shares are divided among codes; empty if nothing was counted. At most kMostAnsCodes.
class AnsShares {
 public:
  AnsShares() = default;

  // In proportion to the counts, which are below 2^50; at least one share for each that is not
  // zero.
  [[nodiscard]] static AnsShares from_counts(std::span<const std::uint64_t> counts) {
    AnsShares shares;
    shares.begins_.assign(counts.size(), 0);
    shares.sizes_.assign(counts.size(), 0);
    std::uint64_t total = 0;
    for (const std::uint64_t count : counts) total += count;
    if (total == 0) return shares;
    std::int64_t left = kAnsShares;
    for (std::size_t code = 0; code < counts.size(); ++code) {
      if (counts[code] == 0) continue;
      const auto size = static_cast<std::uint32_t>((counts[code] * kAnsShares + total / 2) / total);
      shares.sizes_[code] = std::max<std::uint32_t>(size, 1);
      left -= shares.sizes_[code];
    }
    while (left != 0) {
      std::uint32_t& largest = *std::max_element(shares.sizes_.begin(), shares.sizes_.end());
      const std::int64_t step = std::max<std::int64_t>(left, 1 - std::int64_t{largest});
      largest = static_cast<std::uint32_t>(largest + step);
      left -= step;
    }
    shares.make_begins();
    return shares;
  }
  // False if they do not add up to kAnsShares or 0.
  [[nodiscard]] bool set_sizes(std::vector<std::uint32_t> sizes) {
    std::uint64_t total = 0;
    for (const std::uint32_t size : sizes) total += size;
    sizes_ = std::move(sizes);
    make_begins();
    return sizes_.size() <= kMostAnsCodes && (total == kAnsShares || total == 0);
  }

  [[nodiscard]] std::span<const std::uint32_t> sizes() const { return sizes_; }
  [[nodiscard]] std::uint32_t size(std::size_t code) const {
    return code < sizes_.size() ? sizes_[code] : 0;
  }
  [[nodiscard]] std::uint32_t begin(std::size_t code) const { return begins_[code]; }

 private:
  void make_begins() {
    begins_.assign(sizes_.size(), 0);
    for (std::size_t code = 1; code < sizes_.size(); ++code) {
      begins_[code] = begins_[code - 1] + sizes_[code - 1];
    }
  }

  std::vector<std::uint32_t> sizes_;  // by code
  std::vector<std::uint32_t> begins_;
};

// One of the numbers below `count`, all alike: the first few take one bit less than the others.
struct EvenChoice {
  std::uint32_t count = 0;
  std::uint32_t short_ones = 0;  // so many take `bits` bits, the others one more
  unsigned bits = 0;

  EvenChoice() = default;
  explicit EvenChoice(std::uint32_t choices) { set_count(choices); }
  void set_count(std::uint32_t choices) {
    count = choices;
    bits = choices == 0 ? 0 : static_cast<unsigned>(std::bit_width(choices)) - 1;
    short_ones = static_cast<std::uint32_t>((std::uint64_t{2} << bits) - choices);
  }
};

}  // namespace pathspool::base
