// Events to bytes.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "pathspool/event.h"
#include "spool/event_coding.h"

namespace pathspool::spool {

// Writes the event at `out`, which has room for kLongestEventBytes, and returns the end of it.
inline std::uint8_t* encode_event(const Event& event, std::uint8_t* out) {
  std::uint32_t rest = event.id;
  if (event.kind == EventKind::block) {
    if (event.id <= kLargestShortBlock) {
      *out++ = static_cast<std::uint8_t>(event.id);
      return out;
    }
    *out++ = kLongBlockCode;
    rest -= kFirstLongBlock;
  } else if (event.kind == EventKind::exit) {
    *out++ = kExitCode;
    return out;
  } else {
    *out++ = kEnterCode;
  }
  while (rest >= 0x80) {
    *out++ = static_cast<std::uint8_t>(rest | 0x80);
    rest >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(rest);
  return out;
}

}  // namespace pathspool::spool
