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
    Event* to = out.data();
    Event* const last = to + out.size();
    while (to != last && at_ != end_) {
      // Eight one-byte events at once, as long as there is no longer one among them.
      while (last - to >= 8 && end_ - at_ >= 8 && all_short(at_)) {
        for (int i = 0; i < 8; ++i) to[i] = short_event(at_[i]);
        to += 8;
        at_ += 8;
      }
      if (to == last || at_ == end_) break;
      const std::uint8_t code = *at_++;
      if (code <= kLargestShortBlock) {
        *to++ = short_event(code);
      } else {
        const Event event = long_event(code);
        if (failed_) break;
        *to++ = event;
      }
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

  // Whether none of the eight codes is 0xf0 or more, its four top bits all ones.
  static bool all_short(const std::uint8_t* codes) {
    static_assert(kLargestShortBlock == 0xef);
    std::uint64_t eight = 0;
    std::memcpy(&eight, codes, sizeof eight);
    return (eight & eight << 1 & eight << 2 & eight << 3 & 0x8080'8080'8080'8080U) == 0;
  }

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
