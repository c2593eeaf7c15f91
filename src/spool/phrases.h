// Phrases: the terminals of a stored grammar, each a short run of events.
//
// With `--symbols blocks` a phrase is one event, the papers' alphabet. With `--symbols segments` it
// is an acyclic run; the word is not `segment`, since that is a part of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::spool {

// The longest phrase that a file may hold.
inline constexpr std::size_t kLongestPhrase = 32;

// A dictionary of phrases by number. The context is the function that the phrase's first blocks
// belong to, where that is known: with it a block's function can be told without looking at what
// came before.
struct PhraseTable {
  std::vector<Event> events;
  std::vector<std::uint32_t> begin = {0};  // phrase t is events[begin[t] .. begin[t + 1])
  std::vector<std::optional<FunctionId>> contexts;

  [[nodiscard]] std::size_t size() const { return contexts.size(); }
  [[nodiscard]] std::span<const Event> operator[](std::size_t phrase) const {
    return std::span(events).subspan(begin[phrase], begin[phrase + 1] - begin[phrase]);
  }
  void add(std::optional<FunctionId> context, std::span<const Event> phrase) {
    events.insert(events.end(), phrase.begin(), phrase.end());
    begin.push_back(static_cast<std::uint32_t>(events.size()));
    contexts.push_back(context);
  }
};

}  // namespace pathspool::spool
