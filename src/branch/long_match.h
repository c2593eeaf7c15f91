// Finds where the last decisions were made before, and what came then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "branch/history.h"
#include "branch/table.h"

namespace pathspool::branch {

// Interpreters repeat themselves over thousands of decisions, which no hash of a fixed length sees.
class LongMatch {
 public:
  static constexpr unsigned kMostRingBits = 24;  // a place has no more

  // Remembers 2^ring_bits decisions and finds them in 2^table_bits places.
  LongMatch(unsigned ring_bits, unsigned table_bits)
      : ring_(std::size_t{1} << ring_bits),
        places_(std::size_t{1} << table_bits),
        table_shift_(64 - table_bits) {}

  [[nodiscard]] static std::size_t bytes(unsigned ring_bits, unsigned table_bits) {
    return 4 * ((std::size_t{1} << ring_bits) + (std::size_t{1} << table_bits));
  }

  // How many decisions agree; 0 if there is no match.
  [[nodiscard]] std::uint32_t length() const { return length_; }
  // Whether what came next then was at this site.
  [[nodiscard]] bool is_at(std::uint32_t site) const {
    return length_ > 0 && next() >> 16 == (site & 0xffff);
  }
  // What was decided there, to 16 bits.
  [[nodiscard]] std::uint32_t expected() const { return next() & 0xffff; }

  // The place that the decisions before this one have in the table was asked for when they were
  // known, so that it has arrived by now; what it says is one decision old.
  void add(std::uint32_t site, std::uint32_t value, std::uint64_t step) {
    const std::uint32_t entry = (site << 16) | (value & 0xffff);
    if (length_ > 0 && next() == entry) {
      length_ += length_ < kLongest ? 1 : 0;
      ++pointer_;
    } else {
      length_ = 0;
    }
    std::uint32_t& place = places_[hash_.spread() >> table_shift_];
    // A few bits of the hash tell most of those that do not match from afar.
    const auto check = static_cast<std::uint32_t>(hash_.spread() >> 8) & kCheckMask;
    const std::uint32_t before = place;
    place = (position_ & ~kCheckMask) | check;
    ring_[position_++ & mask()] = entry;
    if (length_ == 0 && before != 0 && (before & kCheckMask) == check) find(before + 1);
    hash_.add(step, value);
    __builtin_prefetch(&places_[hash_.spread() >> table_shift_]);
  }

 private:
  static constexpr std::uint32_t kLongest = 65535;
  static constexpr std::uint32_t kVerified = 32;
  static constexpr std::uint32_t kShortest = 16;
  static constexpr std::uint32_t kCheckMask = 0xff000000;

  [[nodiscard]] std::uint32_t mask() const { return static_cast<std::uint32_t>(ring_.size() - 1); }
  [[nodiscard]] std::uint32_t next() const { return ring_[pointer_ & mask()]; }

  void find(std::uint32_t place) {
    pointer_ = place & ~kCheckMask;
    while (length_ < kVerified &&
           ring_[(pointer_ - 1 - length_) & mask()] == ring_[(position_ - 1 - length_) & mask()]) {
      ++length_;
    }
    if (length_ < kShortest) length_ = 0;
  }

  Table<std::uint32_t> ring_;    // site, value: 16 bits each
  Table<std::uint32_t> places_;  // position after the decisions of this hash, check
  unsigned table_shift_;
  PathHash<1> hash_;  // of 64 decisions: those of fewer are found too often to mean anything
  std::uint32_t position_ = 0;
  std::uint32_t pointer_ = 0;
  std::uint32_t length_ = 0;
};

}  // namespace pathspool::branch
