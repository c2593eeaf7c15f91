// Paths drawn from a recording, and where they occur in it, all at once and still the obvious way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/find.h"

namespace pathspool::testing {

// Calls `visit(index, function, blocks)` for each block event of a known frame, with the blocks of
// that frame so far.
template <typename Visit>
void visit_blocks(std::span<const Event> events, const Visit& visit) {
  struct Frame {
    FunctionId function{};
    std::vector<BlockId> blocks;
  };
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind == EventKind::enter) frames.push_back({events[i].function(), {}});
    if (events[i].kind == EventKind::exit && !frames.empty()) frames.pop_back();
    if (events[i].kind != EventKind::block || frames.empty()) continue;
    frames.back().blocks.push_back(events[i].block_id());
    visit(i, frames.back().function, frames.back().blocks);
  }
}

// Draws paths that occur, that nearly occur and that have steps of several blocks, the same ones
// for the same seed.
class PathDrawer {
 public:
  static constexpr std::size_t kLongest = 10;

  explicit PathDrawer(std::uint64_t seed) : random_(seed) {}

  // Of every function some runs of blocks are remembered, each as likely as any other.
  void watch(std::span<const Event> events) {
    visit_blocks(events, [this](std::size_t, FunctionId function, const auto& blocks) {
      Seen& seen = seen_[function];
      seen.largest = std::max(seen.largest, static_cast<std::uint32_t>(blocks.back()));
      const std::uint64_t place = below(++seen.blocks);
      if (place >= kRunsKept) return;
      if (seen.runs.size() <= place) seen.runs.resize(place + 1);
      const std::size_t length = std::min(blocks.size(), kLongest);
      seen.runs[place].assign(blocks.end() - static_cast<std::ptrdiff_t>(length), blocks.end());
    });
    for (const auto& [function, seen] : seen_) all_blocks_ += seen.blocks;
  }

  [[nodiscard]] Path draw() {
    // Half of them from functions that run much.
    auto at = seen_.begin();
    if (below(2) == 0) {
      std::advance(at, static_cast<std::ptrdiff_t>(below(seen_.size())));
    } else {
      std::uint64_t left = below(all_blocks_);
      while (left >= at->second.blocks) left -= (at++)->second.blocks;
    }
    const Seen& seen = at->second;
    const std::vector<BlockId>* run = &seen.runs[below(seen.runs.size())];
    while (run->empty()) run = &seen.runs[below(seen.runs.size())];
    const std::size_t length = 1 + below(run->size());
    Path path{at->first, {}};
    for (std::size_t i = run->size() - length; i < run->size(); ++i) {
      path.steps.push_back({(*run)[i]});
    }
    const std::uint64_t roll = below(100);
    std::vector<BlockId>& step = path.steps[below(length)];
    if (roll < 30) step = {some_block(seen)};
    if (roll >= 85) {
      for (std::uint64_t more = 1 + below(3); more > 0; --more) step.push_back(some_block(seen));
    }
    return path;
  }

  [[nodiscard]] bool has_any() const { return !seen_.empty(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

 private:
  static constexpr std::size_t kRunsKept = 40;
  struct Seen {
    std::uint64_t blocks = 0;
    std::uint32_t largest = 0;
    std::vector<std::vector<BlockId>> runs;
  };

  [[nodiscard]] BlockId some_block(const Seen& seen) {
    return BlockId{static_cast<std::uint32_t>(1 + below(seen.largest))};
  }

  std::mt19937_64 random_;
  std::map<FunctionId, Seen> seen_;
  std::uint64_t all_blocks_ = 0;
};

// The indexes of the last blocks of all occurrences, by path. A block is compared only with paths
// of its function that end with it.
[[nodiscard]] inline std::vector<std::vector<std::uint64_t>> reference_matches_of_all(
    std::span<const Event> events, std::span<const Path> paths) {
  std::map<FunctionId, std::map<BlockId, std::vector<std::size_t>>> by_last_block;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (const BlockId block : paths[i].steps.back()) {
      std::vector<std::size_t>& list = by_last_block[paths[i].function][block];
      if (list.empty() || list.back() != i) list.push_back(i);
    }
  }
  std::vector<std::vector<std::uint64_t>> found(paths.size());
  visit_blocks(events, [&](std::size_t index, FunctionId function, const auto& blocks) {
    const auto of_function = by_last_block.find(function);
    if (of_function == by_last_block.end()) return;
    const auto of_block = of_function->second.find(blocks.back());
    if (of_block == of_function->second.end()) return;
    for (const std::size_t i : of_block->second) {
      const auto& steps = paths[i].steps;
      bool occurs = blocks.size() >= steps.size();
      for (std::size_t k = 0; occurs && k < steps.size(); ++k) {
        const BlockId block = blocks[blocks.size() - steps.size() + k];
        occurs = std::ranges::find(steps[k], block) != steps[k].end();
      }
      if (occurs) found[i].push_back(index);
    }
  });
  return found;
}

}  // namespace pathspool::testing
