// Path matching, the slow and obvious way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/find.h"

namespace pathspool::testing {

// The indexes of the last blocks of all occurrences.
[[nodiscard]] inline std::vector<std::uint64_t> reference_matches(std::span<const Event> events,
                                                                  const Path& path) {
  struct Frame {
    FunctionId function{};
    std::vector<BlockId> blocks;
  };
  std::vector<Frame> frames;
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind == EventKind::enter) frames.push_back({events[i].function(), {}});
    if (events[i].kind == EventKind::exit && !frames.empty()) frames.pop_back();
    if (events[i].kind != EventKind::block || frames.empty()) continue;
    std::vector<BlockId>& blocks = frames.back().blocks;
    blocks.push_back(events[i].block_id());
    bool occurs = frames.back().function == path.function && blocks.size() >= path.steps.size();
    for (std::size_t k = 0; occurs && k < path.steps.size(); ++k) {
      const BlockId block = blocks[blocks.size() - path.steps.size() + k];
      occurs = false;
      for (const BlockId allowed : path.steps[k]) occurs |= allowed == block;
    }
    if (occurs) found.push_back(i);
  }
  return found;
}

}  // namespace pathspool::testing
