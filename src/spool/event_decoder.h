// Bytes to events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "pathspool/event.h"
#include "spool/event_coding.h"

namespace pathspool::spool {

// Decodes a chunk's bytes a batch at a time. Fails stickily at malformed bytes.
class EventDecoder {
 public:
  EventDecoder() = default;
  // Functions must have ids below `function_count`.
  EventDecoder(base::ByteView bytes, std::uint64_t function_count)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), function_count_(function_count) {}

  // Fills `out` as far as the bytes go and returns how many events that were.
  std::size_t next(std::span<Event> out) {
    Event* to = out.data();
    const Event* const last = to + out.size();
    while (to != last && at_ != end_) {
      // An event takes a byte at least: so many need no look at the end of the bytes.
      const std::uint8_t* at = at_;
      const Event* const run_end = to + std::min<std::ptrdiff_t>(last - to, end_ - at);
      while (to != run_end && *at <= kLargestShortBlock) *to++ = short_event(*at++);
      at_ = at;
      if (to == run_end) continue;
      ++at_;
      const Event event = long_event(*at);
      if (failed_) break;
      *to++ = event;
    }
    return static_cast<std::size_t>(to - out.data());
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  // Exit (0) and short blocks without a branch: both have the code as their id.
  static Event short_event(std::uint8_t code) {
    return {code == kExitCode ? EventKind::exit : EventKind::block, code};
  }

  Event long_event(std::uint8_t code) {
    // Most numbers take one byte.
    if (at_ != end_ && *at_ < 0x80) {
      if (code == kEnterCode && *at_ < function_count_) return {EventKind::enter, *at_++};
      if (code == kLongBlockCode) return {EventKind::block, kFirstLongBlock + *at_++};
    }
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35 && at_ != end_; shift += 7) {
      const std::uint8_t byte = *at_++;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if (code == kEnterCode && value < function_count_) {
        return {EventKind::enter, static_cast<std::uint32_t>(value)};
      }
      value += kFirstLongBlock;
      if (code == kLongBlockCode && value <= UINT32_MAX) {
        return {EventKind::block, static_cast<std::uint32_t>(value)};
      }
      break;
    }
    failed_ = true;
    return {};
  }

  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint64_t function_count_ = 0;
  bool failed_ = false;
};

}  // namespace pathspool::spool
