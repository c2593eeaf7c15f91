// The frames that were open where a program forked, until the child's stream begins with them.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "pathspool/wire/word.h"
#include "recorder/collector/stream_decoder.h"

namespace pathspool::collector {

class ForkSnapshots {
 public:
  // Children that never record leave theirs behind: beyond this the oldest are dropped.
  static constexpr std::size_t kMostFrames = std::size_t{1} << 24;

  void put(wire::Word token, std::span<const Frame> frames) {
    frames_ += frames.size();
    if (const auto old = by_token_.find(token); old != by_token_.end()) {
      frames_ -= old->second.size();
      old->second.assign(frames.begin(), frames.end());
      return;
    }
    by_token_.emplace(token, std::vector<Frame>(frames.begin(), frames.end()));
    order_.push_back(token);
    while (order_.size() > 1 && (frames_ > kMostFrames || order_.size() > kMostFrames)) {
      take(order_.front());
      order_.pop_front();
    }
  }

  [[nodiscard]] bool has(wire::Word token) const { return by_token_.contains(token); }

  // Empty if there is none.
  std::vector<Frame> take(wire::Word token) {
    auto node = by_token_.extract(token);
    if (node.empty()) return {};
    frames_ -= node.mapped().size();
    return std::move(node.mapped());
  }

 private:
  std::unordered_map<wire::Word, std::vector<Frame>> by_token_;
  std::deque<wire::Word> order_;  // some may have been taken
  std::size_t frames_ = 0;
};

}  // namespace pathspool::collector
