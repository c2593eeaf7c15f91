// What the encoder and the decoder of a phrase dictionary both expect next.
//
// Phrases are paths of control-flow graphs, so the best guess at what follows a block is what
// followed it before. Numbers that the guesses miss are coded as they are, small ones cheaply.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/adaptive_bit.h"
#include "base/adaptive_number.h"
#include "pathspool/event.h"

namespace pathspool::spool {

// A dictionary's bytes hold at most this many events each; the encoder pads with zeros in the rare
// case that it did better. So a reader can trust the counts as far as it must.
inline constexpr std::uint64_t kPhraseEventsPerByte = 64;

class PhraseModel {
 public:
  static constexpr std::size_t kKinds = 4;  // those of events, and the start of a phrase
  static constexpr std::uint32_t kStart = 3;

  // The successors seen last in this place, latest first.
  struct Successors {
    std::optional<Event> first;
    std::optional<Event> second;
  };

  // Contexts: the function of the phrase's first blocks; 0 for none, otherwise its id plus one.
  base::AdaptiveBit same_context;
  base::AdaptiveBit next_context;
  base::AdaptiveNumber other_context;
  std::uint64_t last_context = 0;
  std::uint64_t highest_context = 0;

  std::array<std::array<base::AdaptiveBit, 2>, kKinds> first_hit;
  std::array<std::array<base::AdaptiveBit, 2>, kKinds> second_hit;
  std::array<base::AdaptiveTree<2>, kKinds> kind;
  std::array<base::AdaptiveBit, kKinds> end;
  base::AdaptiveNumber block_step;
  base::AdaptiveNumber block_id;
  base::AdaptiveBit next_function;
  base::AdaptiveNumber function_id;
  std::uint64_t highest_function = 0;  // plus one

  void begin_phrase(std::uint64_t context) {
    last_context = context;
    if (context > highest_context) highest_context = context;
    context_ = context;
    previous_ = {EventKind{kStart}, 0};
  }

  [[nodiscard]] Successors& successors() {
    // Mixed into one number; a collision costs bits, never correctness.
    const std::uint64_t place =
        (context_ << 2 | static_cast<std::uint64_t>(previous_.kind)) * 0x9e37'79b9'7f4a'7c15U ^
        previous_.id;
    return successors_[place];
  }
  [[nodiscard]] std::size_t previous_kind() const {
    return static_cast<std::size_t>(previous_.kind);
  }
  [[nodiscard]] const Event& previous() const { return previous_; }

  void passed(const Event& event) {
    Successors& known = successors();
    if (known.first != event) {
      known.second = known.first;
      known.first = event;
    }
    if (event.kind == EventKind::enter) {
      if (event.id >= highest_function) highest_function = std::uint64_t{event.id} + 1;
      context_ = std::uint64_t{event.id} + 1;
    } else if (event.kind == EventKind::exit) {
      context_ = 0;
    }
    previous_ = event;
  }

 private:
  std::unordered_map<std::uint64_t, Successors> successors_;
  std::uint64_t context_ = 0;
  Event previous_;
};

}  // namespace pathspool::spool
