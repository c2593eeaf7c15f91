// The bodies of a run of rules, each of which can be read alone.
//
// Most bodies have two symbols; those that have more are listed. A symbol is its number in the row
// of all symbols (symbol_code.h), of one of two widths: a bit for each says which, so where a
// number lies follows from how many of the bits before it are ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "grammar/symbol_code.h"

namespace pathspool::grammar {

// In bits; `narrow` is not above `wide`, which is enough for all symbols and at most 32.
struct NumberWidths {
  unsigned narrow = 0;
  unsigned wide = 0;

  [[nodiscard]] bool is_wide(std::uint32_t number) const {
    return std::uint64_t{number} >> narrow != 0;
  }
};

// What is written and read: a varint, how many bodies have more than two symbols; for each of them
// two more, how many rules after the one before it (or after the block's first) it is and how many
// symbols more; then the bits that say which numbers are wide; then the numbers. Bits fill bytes
// from the lowest; the bits and the numbers each begin with a new byte.
class BodyBlock {
 public:
  BodyBlock() = default;
  // False if the bytes cannot be the bodies of so many rules; then the block must not be used.
  [[nodiscard]] bool read(base::Bytes bytes, std::uint32_t rules, const NumberWidths& widths) {
    base::ByteReader reader(bytes);
    widths_ = widths;
    const std::uint64_t count = read_lengths(reader, rules);
    if (reader.failed() || count > 8 * std::uint64_t{reader.left()} || count > UINT32_MAX) {
      return false;
    }
    const base::ByteView flags = reader.bytes((count + 7) / 8);
    wide_.resize(count / 64 + 1);
    std::memcpy(wide_.data(), flags.data(), flags.size());
    if (wide_.back() >> count % 64 != 0) return false;
    std::uint32_t sum = 0;
    for (const std::uint64_t word : wide_) {
      wide_before_.push_back(sum);
      sum += static_cast<std::uint32_t>(std::popcount(word));
    }
    const std::uint64_t bits = count * widths.narrow + std::uint64_t{sum} * extra_width();
    numbers_begin_ = reader.at();
    static_cast<void>(reader.bytes((bits + 7) / 8));
    if (!reader.done()) return false;
    bytes_ = std::move(bytes);
    return true;
  }

  // The numbers of the block's rule `index`: the first and how many.
  struct Body {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  [[nodiscard]] Body body(std::uint32_t index) const {
    const auto at = std::partition_point(long_ones_.begin(), long_ones_.end(),
                                         [&](const Long& one) { return one.rule < index; });
    const std::uint32_t more = at->rule == index ? (at + 1)->extra_before - at->extra_before : 0;
    return {kLeastBody * index + at->extra_before, kLeastBody + more};
  }
  [[nodiscard]] std::uint32_t number(std::uint32_t at) const {
    const std::uint64_t word = wide_[at / 64];
    const std::uint64_t below = (std::uint64_t{1} << at % 64) - 1;
    const std::uint64_t before =
        wide_before_[at / 64] + static_cast<std::uint32_t>(std::popcount(word & below));
    const bool is_wide = (word >> at % 64 & 1) != 0;
    const std::uint64_t bit = std::uint64_t{at} * widths_.narrow + before * extra_width();
    const std::size_t from = numbers_begin_ + bit / 8;
    std::uint64_t bits = 0;
    if (bytes_.size() - from >= sizeof bits) [[likely]] {
      std::memcpy(&bits, bytes_.data() + from, sizeof bits);
    } else {
      std::memcpy(&bits, bytes_.data() + from, bytes_.size() - from);
    }
    const unsigned width = is_wide ? widths_.wide : widths_.narrow;
    return static_cast<std::uint32_t>(bits >> bit % 8 & ((std::uint64_t{1} << width) - 1));
  }

  [[nodiscard]] bool is_read() const { return !long_ones_.empty(); }
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return bytes_.capacity() + wide_.capacity() * 8 + wide_before_.capacity() * 4 +
           long_ones_.capacity() * sizeof(Long);
  }

 private:
  // A body of more than two symbols.
  struct Long {
    std::uint32_t rule = 0;
    std::uint32_t extra_before = 0;  // symbols that the ones before it have more
  };

  [[nodiscard]] unsigned extra_width() const { return widths_.wide - widths_.narrow; }

  // How many symbols there are in all. Fails the reader if that cannot be.
  [[nodiscard]] std::uint64_t read_lengths(base::ByteReader& reader, std::uint32_t rules) {
    const std::uint64_t most = 8 * std::uint64_t{reader.left()};
    const std::uint64_t count = reader.count(2);
    long_ones_.reserve(count + 1);
    std::uint64_t rule = 0;
    std::uint64_t extra = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      rule += std::min<std::uint64_t>(reader.varint(), rules) + (i == 0 ? 0 : 1);
      const std::uint64_t more = reader.varint();
      if (rule >= rules || more == 0 || more > most - extra) reader.fail();
      if (reader.failed()) return 0;
      long_ones_.push_back({static_cast<std::uint32_t>(rule), static_cast<std::uint32_t>(extra)});
      extra += more;
    }
    long_ones_.push_back({rules, static_cast<std::uint32_t>(extra)});
    return std::uint64_t{kLeastBody} * rules + extra;
  }

  NumberWidths widths_;
  std::vector<Long> long_ones_;  // and one behind the last rule
  std::vector<std::uint64_t> wide_;
  std::vector<std::uint32_t> wide_before_;  // by word of wide_
  base::Bytes bytes_;
  std::size_t numbers_begin_ = 0;
};

}  // namespace pathspool::grammar
