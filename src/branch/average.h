// How often something was a one, with how sure that is: 32 bits, the size of a slot of the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pathspool::branch {

// The upper 22 bits are the average, the lower 10 the number of bits seen, to kMostSeen. The n-th
// bit moves the average by 1 / (n + 1.5), so that it is the mean of a stationary source.
namespace average {

inline constexpr unsigned kSeenBits = 10;
inline constexpr std::uint32_t kSeenMask = (1U << kSeenBits) - 1;
inline constexpr std::uint32_t kMostSeen = 255;
inline constexpr std::uint32_t kNew = 1U << 31;  // one half, nothing seen
inline constexpr std::int32_t kOne = (1 << 22) - 1;
// A step is (distance >> kDistanceShift) * rate >> kStepShift: within 32 bits, so that several can
// be made at once.
inline constexpr unsigned kDistanceShift = 4;
inline constexpr unsigned kStepShift = 9;

inline constexpr std::array<std::int16_t, kMostSeen + 1> kRate = [] {
  std::array<std::int16_t, kMostSeen + 1> rates{};
  for (std::size_t n = 0; n < rates.size(); ++n) {
    rates[n] = static_cast<std::int16_t>((2U << (kDistanceShift + kStepShift)) / (2 * n + 3));
  }
  return rates;
}();

[[nodiscard]] inline std::size_t seen(std::uint32_t slot) { return slot & kSeenMask; }

// How far a bit moves the slot, the bit counted as seen: to be added to it.
[[nodiscard]] inline std::uint32_t step(std::uint32_t slot, bool bit) {
  const std::size_t n = seen(slot);
  const auto value = static_cast<std::int32_t>(slot >> kSeenBits);
  const std::int32_t distance = (kOne & -static_cast<std::int32_t>(bit)) - value;
  const std::int32_t moved = ((distance >> kDistanceShift) * kRate[n]) >> kStepShift;
  return (static_cast<std::uint32_t>(moved) << kSeenBits) + (n < kMostSeen ? 1 : 0);
}

}  // namespace average
}  // namespace pathspool::branch
