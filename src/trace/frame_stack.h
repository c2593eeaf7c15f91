// The nesting rules: which frames are open, and at which level.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::trace {

// The depth is the number of frames that were opened less those that were closed: the level that
// the next frame will have. A stream that starts late closes frames it never opened, so the depth
// can fall below 0; such frames are unknown and belong to no function.
class FrameStack {
 public:
  FrameStack() = default;
  // `known` are the innermost frames, outermost first; their levels end at depth - 1.
  FrameStack(std::int64_t depth, std::vector<FunctionId> known)
      : known_(std::move(known)), lowest_known_(depth - static_cast<std::int64_t>(known_.size())) {}

  void enter(FunctionId function) { known_.push_back(function); }
  void exit() {
    if (known_.empty()) {
      --lowest_known_;
    } else {
      known_.pop_back();
    }
  }
  void apply(const Event& event) {
    if (event.kind == EventKind::enter) enter(event.function());
    if (event.kind == EventKind::exit) exit();
  }

  // Closes every frame at this level and above, then opens these: what skipping a run of events
  // does.
  void replace_from(std::int64_t level, std::span<const FunctionId> opened) {
    if (level < lowest_known_) {
      known_.clear();
      lowest_known_ = level;
    } else if (level < depth()) {
      known_.resize(static_cast<std::size_t>(level - lowest_known_));
    }
    known_.insert(known_.end(), opened.begin(), opened.end());
  }

  [[nodiscard]] std::int64_t depth() const {
    return lowest_known_ + static_cast<std::int64_t>(known_.size());
  }
  // The innermost frame's function, whose blocks come next; none if no frame is known.
  [[nodiscard]] std::optional<FunctionId> running() const {
    if (known_.empty()) return std::nullopt;
    return known_.back();
  }
  [[nodiscard]] const std::vector<FunctionId>& known() const { return known_; }

  friend bool operator==(const FrameStack&, const FrameStack&) = default;

 private:
  std::vector<FunctionId> known_;
  std::int64_t lowest_known_ = 0;
};

}  // namespace pathspool::trace
