// The compact binary coding of events inside a chunk: mostly one byte an event (docs/format.md).
#pragma once

#include <cstdint>

namespace pathspool::spool {

inline constexpr std::uint8_t kExitCode = 0x00;
// 0x01 .. kLargestShortBlock: the block of that id.
inline constexpr std::uint8_t kLargestShortBlock = 0xef;
inline constexpr std::uint8_t kLongBlockCode = 0xf0;  // varint: the block's id less 240
inline constexpr std::uint8_t kEnterCode = 0xf1;      // varint: the function's id
inline constexpr std::uint32_t kFirstLongBlock = kLargestShortBlock + 1U;

inline constexpr unsigned kLongestEventBytes = 6;  // a code and a varint of 32 bits

}  // namespace pathspool::spool
