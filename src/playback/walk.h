// Where a stream of events is in its control-flow graphs, and what it has taught so far. A
// DecisionMaker and a Player each have one and keep it in step, whatever the events are: what a
// node does not foresee is a surprise, which is told explicitly and moves the walk all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/event.h"
#include "playback/nodes.h"

namespace pathspool::playback {

// An event that was not foreseen, and how many came as foreseen since the last such one.
struct Escape {
  std::uint64_t distance = 0;
  Event event;

  friend constexpr bool operator==(const Escape&, const Escape&) = default;
};

// What is asked where nothing is known, and at calls. Ids that these have no room for are
// surprises.
inline constexpr std::uint32_t kAnswerExit = 0;
inline constexpr std::uint32_t kAnswerEnter = 1;  // the next answer is the function's id
[[nodiscard]] constexpr bool has_answer(const Event& event) {
  return event.kind != EventKind::block || (event.id > 0 && event.id < UINT32_MAX);
}
[[nodiscard]] constexpr std::uint32_t answer_of(const Event& event) {
  if (event.kind == EventKind::block) return event.id + 1;
  return event.kind == EventKind::enter ? kAnswerEnter : kAnswerExit;
}
inline constexpr std::uint32_t kEntersNothing = 0;  // otherwise the function's id and one

class Walk {
 public:
  // The frames that are open when the events begin, outermost first. The table must outlive it.
  explicit Walk(const NodeTable& table, std::span<const FunctionId> open_frames = {});

  // Memory is bounded by this, not by what a file claims.
  static constexpr std::size_t kMostFrames = std::size_t{1} << 25;

  [[nodiscard]] const NodeTable& table() const { return table_; }
  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] const Node& node() const { return nodes_[at_]; }
  [[nodiscard]] const Node& node(std::uint32_t at) const { return nodes_[at]; }
  [[nodiscard]] std::uint32_t entry_of(std::uint64_t global) const { return entries_[global]; }
  // Block `id` of the running function has the global number base + id.
  [[nodiscard]] std::uint64_t base() const { return base_; }
  // Where the frame goes on that a tail call returns to; where it was that is unwound.
  [[nodiscard]] std::uint32_t resumed() const { return resumed_; }

  // Moves that were foreseen.
  void block(std::uint64_t global) { at_ = entries_[global]; }
  void go_on(std::uint32_t node) { at_ = node; }
  void enter(std::uint32_t function, std::uint32_t then) {
    if (frames_.size() == kMostFrames) throw Error("more than 2^25 frames are open at once");
    frames_.push_back({function_, then});
    run(function);
    at_ = table_.start_of(function);
  }
  void exit() {
    if (frames_.empty()) {
      run(kNoFunction);
      at_ = NodeTable::kLost;
      return;
    }
    run(frames_.back().function);
    at_ = frames_.back().node;
    frames_.pop_back();
  }
  // Of a tail call: what it enters is called from the node.
  void exit_then(std::uint32_t node) {
    exit();
    resumed_ = at_;
    at_ = node;
  }
  // And the caller does not go on as usual.
  void exit_unwinding() {
    exit();
    if (function_ == kNoFunction) return;
    resumed_ = at_;
    const NodeKind kind = nodes_[at_].kind;
    if (kind == NodeKind::invoke || kind == NodeKind::invoke_asked) {
      at_ = NodeTable::kLanding;
    } else {
      at_ = table_.returns_twice(function_) ? NodeTable::kSecondReturn : NodeTable::kUnwinding;
    }
  }
  // The exceptional successor.
  [[nodiscard]] std::uint64_t landing() const { return nodes_[resumed_].second; }
  // What a call site that asks leads to: kEntersNothing or a function's id and one.
  void answer(std::uint32_t target);
  // Any event, which teaches nothing.
  void follow(const Event& event);

  // An event that the current node does not foresee.
  void surprise(const Event& event);

 private:
  static constexpr std::uint32_t kNoFunction = UINT32_MAX;

  struct Frame {
    std::uint32_t function;
    std::uint32_t node;  // where it goes on
  };

  void run(std::uint32_t function) {
    function_ = function;
    base_ = table_.base_of(function);
  }
  void surprising_enter(std::uint32_t function);
  void surprising_exit();
  void surprising_block(std::uint32_t id);
  void wake(std::uint32_t silent);
  void enters_nothing(Node& call);
  static void learn(Node& call, NodeKind kind);
  [[nodiscard]] bool leads_to(std::uint32_t node, std::uint64_t global) const;

  const NodeTable& table_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> entries_;
  std::vector<Frame> frames_;
  std::uint32_t function_ = kNoFunction;
  std::uint64_t base_ = 0;
  std::uint32_t at_ = NodeTable::kLost;
  std::uint32_t resumed_ = NodeTable::kLost;
};

}  // namespace pathspool::playback
