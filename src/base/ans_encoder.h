// Codes events under stored distributions: see ans_model.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ans_model.h"
#include "base/bytes.h"
#include "base/check.h"

namespace pathspool::base {

// Events are kept until the end, since the last one is coded first.
class AnsEncoder {
 public:
  void code(const AnsShares& shares, std::uint32_t code) {
    PATHSPOOL_CHECK(shares.size(code) != 0);
    events_.push_back({shares.begin(code), shares.size(code), kAnsTableBits});
  }
  // `count` is at most 32.
  void bits(unsigned count, std::uint32_t value) { events_.push_back({value, 1, count}); }
  void choice(const EvenChoice& choice, std::uint32_t index) {
    PATHSPOOL_CHECK(index < choice.count);
    if (index < choice.short_ones) {
      bits(choice.bits, index);
      return;
    }
    const std::uint32_t after = index - choice.short_ones;
    bits(choice.bits + 1, (after % 2) << choice.bits | (choice.short_ones + after / 2));
  }

  [[nodiscard]] Bytes finish() const {
    std::uint64_t state = kAnsLow;
    std::vector<std::uint32_t> words;
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
      // Decoding it must not take the state above what 64 bits hold.
      if (event->bits != 0 && state >> (64 - event->bits) >= event->size) {
        words.push_back(static_cast<std::uint32_t>(state));
        state >>= 32;
      }
      state = ((state / event->size) << event->bits) + state % event->size + event->begin;
    }
    ByteWriter writer;
    writer.u64(state);
    for (auto word = words.rbegin(); word != words.rend(); ++word) writer.u32(*word);
    return writer.take();
  }

 private:
  struct Event {
    std::uint32_t begin;
    std::uint32_t size;
    unsigned bits;  // of 2^bits shares in all
  };
  std::vector<Event> events_;
};

}  // namespace pathspool::base
