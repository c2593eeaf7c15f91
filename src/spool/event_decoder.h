// Bytes to events.
#pragma once

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
    std::size_t filled = 0;
    while (filled < out.size() && at_ != end_) {
      const std::uint8_t code = *at_++;
      if (code <= kLargestShortBlock) {
        // Exit (0) and short blocks without a branch: both have the code as their id.
        out[filled++] = {code == kExitCode ? EventKind::exit : EventKind::block, code};
      } else {
        const Event event = long_event(code);
        if (failed_) break;
        out[filled++] = event;
      }
    }
    return filled;
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  Event long_event(std::uint8_t code) {
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
