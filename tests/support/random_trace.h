// Random traces for laws and differential tests: well-nested or not, from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::testing {

struct TraceShape {
  std::uint32_t functions = 4;
  std::uint32_t blocks = 6;
  std::uint32_t enters = 2;  // weights of the three kinds of events
  std::uint32_t exits = 2;
  std::uint32_t repeats = 3;  // weight of repeating some of what came before: what grammars live on
};

// Exits need no open frame and blocks need none either: a stream may begin inside frames and end in
// some.
inline std::vector<Event> random_trace(std::uint64_t seed, std::size_t length,
                                       const TraceShape& shape = {}) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  std::vector<Event> events;
  while (events.size() < length) {
    const std::uint64_t roll = below(shape.enters + shape.exits + shape.repeats + 6);
    if (roll < shape.enters) {
      events.push_back(
          Event::enter(FunctionId{static_cast<std::uint32_t>(below(shape.functions))}));
    } else if (roll < shape.enters + shape.exits) {
      events.push_back(Event::exit());
    } else if (roll < shape.enters + shape.exits + shape.repeats && !events.empty()) {
      const std::size_t from = below(events.size());
      const std::size_t count = 1 + below(std::min<std::size_t>(events.size() - from, 20));
      for (std::size_t i = 0; i < count && events.size() < length; ++i) {
        events.push_back(events[from + i]);
      }
    } else {
      events.push_back(Event::block(BlockId{1 + static_cast<std::uint32_t>(below(shape.blocks))}));
    }
  }
  return events;
}

}  // namespace pathspool::testing
