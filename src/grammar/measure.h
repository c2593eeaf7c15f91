// What a string of events does, as far as seeking and nesting need to know.
#pragma once

#include <cstdint>
#include <limits>

namespace pathspool::grammar {

struct Measure {
  std::uint64_t length = 0;  // events
  std::uint64_t pops = 0;    // frames of the caller that it closes
  std::uint64_t pushes = 0;  // frames that it leaves open

  friend constexpr bool operator==(const Measure&, const Measure&) = default;
};

// A string longer than this is refused by the encoder and by the reader; every sum of two lengths
// that are allowed still fits 64 bits.
inline constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 62;

// The measure of one string after another. Files are hostile, and forty doubling rules are a
// terabyte of events: sums stay at the largest number instead of wrapping.
[[nodiscard]] constexpr Measure concat(const Measure& a, const Measure& b) {
  const auto add = [](std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return x > kMost - y ? kMost : x + y;
  };
  const std::uint64_t common = a.pushes < b.pops ? a.pushes : b.pops;
  return {add(a.length, b.length), add(a.pops, b.pops - common), add(b.pushes, a.pushes - common)};
}

}  // namespace pathspool::grammar
