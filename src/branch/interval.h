// The interval that an arithmetic encoder and its decoder narrow, bit by bit.
#pragma once

#include <cstdint>

namespace pathspool::branch {

// Its size is 64 bits, and 2^32 at least: below that 32 bits are moved out. So it is looked at once
// for each bit and moved once for each 32 bits of output, which a processor foresees; and the share
// of a bit is exact to 2^-32, so that even the rarest costs what it should.
inline constexpr unsigned kMovedBits = 32;
inline constexpr std::uint64_t kLeastSize = std::uint64_t{1} << kMovedBits;
inline constexpr std::uint64_t kFullSize = ~std::uint64_t{0};

// The lower part of an interval of this size, which stands for a one; the probability is of 16
// bits, neither 0 nor 1. Neither part is empty.
[[nodiscard]] inline std::uint64_t share_of_one(std::uint64_t size,
                                                std::uint32_t probability_of_one) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{size} * (std::uint64_t{probability_of_one} << 48) >> 64);
}

}  // namespace pathspool::branch
