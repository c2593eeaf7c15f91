// Events to decisions: what the control-flow graphs do not already say.
#pragma once

#include <cstdint>
#include <span>

#include "playback/walk.h"

namespace pathspool::playback {

// A sink takes
//   conditional(site, bool taken)
//   choice(site, count, index)   of a switch: which of its `count` distinct successors
//   jump(site, count, index)     of a computed goto
//   target(site, answer)         see walk.h
//   escape(Escape)               to be stored beside the rest: a Player wants each one early
// and may take
//   entered(site), exited()      a frame begins at the call site, or ends; no decisions
// Any events go, for they need not fit the graphs. Where they end is not told: a Player is given
// their number.
template <typename Sink>
class DecisionMaker {
 public:
  DecisionMaker(const NodeTable& table, Sink& sink, std::span<const FunctionId> open_frames = {})
      : walk_(table, open_frames), sink_(sink) {}

  void take(std::span<const Event> events) {
    for (const Event& event : events) take(event);
  }

  void take(const Event& event) {
    const Node& node = walk_.node();
    if (event.kind == EventKind::block) {
      const std::uint64_t global = walk_.base() + event.id;
      if (node.kind == NodeKind::conditional) {
        const bool taken = global == node.first;
        if (taken || global == node.second) {
          sink_.conditional(node.site, taken);
          walk_.block(global);
          ++distance_;
          return;
        }
      } else if (node.kind == NodeKind::jump && global == node.first) {
        walk_.block(global);
        ++distance_;
        return;
      }
    } else if (event.kind == EventKind::exit) {
      if (node.kind == NodeKind::exit) {
        walk_.exit();
        exited();
        ++distance_;
        return;
      }
    } else if (node.kind == NodeKind::call && node.first == event.id) {
      entered(node.site);
      walk_.enter(event.id, node.second);
      ++distance_;
      return;
    }
    take_seldom(event);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void entered(std::uint32_t site) {
    if constexpr (requires { sink_.entered(site); }) sink_.entered(site);
  }
  void exited() {
    if constexpr (requires { sink_.exited(); }) sink_.exited();
  }

  static bool asks(NodeKind kind) {
    return kind == NodeKind::call_fresh || kind == NodeKind::call_asked ||
           kind == NodeKind::call_back || kind == NodeKind::after_exit_fresh ||
           kind == NodeKind::after_exit_asked;
  }

  // The node after one at which nothing need happen; kNone if something must.
  [[nodiscard]] std::uint32_t after(std::uint32_t at) const {
    const Node& node = walk_.node(at);
    switch (node.kind) {
      case NodeKind::redirect:
        return node.first;
      case NodeKind::call_fresh:
      case NodeKind::call_asked:
      case NodeKind::call_back:
        return node.second;
      case NodeKind::after_exit_fresh:
      case NodeKind::after_exit_asked:
      case NodeKind::after_exit_silent:
        return walk_.resumed();
      default:
        return kNone;
    }
  }

  // The node that makes the event, when nothing happens at those before; kNone for a surprise.
  [[nodiscard]] std::uint32_t maker_of(const Event& event) const {
    std::uint32_t at = walk_.at();
    std::uint32_t asked = kNone;
    const bool enters = event.kind == EventKind::enter;
    while (true) {
      const Node& node = walk_.node(at);
      const std::uint32_t next = after(at);
      if (next == kNone) break;
      if (asked == kNone && enters && event.id < UINT32_MAX && asks(node.kind)) asked = at;
      at = next;
    }
    if (asked == kNone || makes(walk_.node(at), event)) {
      return makes(walk_.node(at), event) ? at : kNone;
    }
    return asked;
  }

  [[nodiscard]] bool makes(const Node& node, const Event& event) const {
    const std::uint64_t global = walk_.base() + event.id;
    switch (node.kind) {
      case NodeKind::jump:
      case NodeKind::jump_then:
      case NodeKind::invoke:
        return event.kind == EventKind::block && global == node.first;
      case NodeKind::conditional:
      case NodeKind::invoke_asked:
        return event.kind == EventKind::block && (global == node.first || global == node.second);
      case NodeKind::choice:
      case NodeKind::computed:
        return event.kind == EventKind::block && walk_.table().index_of(node, global) < node.second;
      case NodeKind::exit:
      case NodeKind::exit_unwinding:
      case NodeKind::exit_then:
      case NodeKind::unwinding:
        return event.kind == EventKind::exit;
      case NodeKind::landing:
        return event.kind == EventKind::block && global == walk_.landing();
      case NodeKind::second_return:
        return event.kind != EventKind::enter && has_answer(event);
      case NodeKind::call:
      case NodeKind::after_exit:
        return event.kind == EventKind::enter && event.id == node.first;
      case NodeKind::free:
        return has_answer(event);
      default:
        return false;
    }
  }

  void take_seldom(const Event& event) {
    const std::uint32_t maker = maker_of(event);
    if (maker == kNone) {
      sink_.escape(Escape{distance_, event});
      distance_ = 0;
      if (event.kind == EventKind::enter) entered(walk_.node().site);
      if (event.kind == EventKind::exit) exited();
      walk_.surprise(event);
      return;
    }
    ++distance_;
    while (walk_.at() != maker) {
      if (asks(walk_.node().kind)) {
        sink_.target(walk_.node().site, kEntersNothing);
        walk_.answer(kEntersNothing);
      } else {
        walk_.go_on(after(walk_.at()));
      }
    }
    make(event);
  }

  void make(const Event& event) {
    const Node& node = walk_.node();
    const std::uint64_t global = walk_.base() + event.id;
    switch (node.kind) {
      case NodeKind::conditional:
      case NodeKind::invoke_asked:
        sink_.conditional(node.site, global == node.first);
        walk_.block(global);
        return;
      case NodeKind::choice:
        sink_.choice(node.site, node.second, walk_.table().index_of(node, global));
        walk_.block(global);
        return;
      case NodeKind::computed:
        sink_.jump(node.site, node.second, walk_.table().index_of(node, global));
        walk_.block(global);
        return;
      case NodeKind::jump:
      case NodeKind::invoke:
      case NodeKind::landing:
        walk_.block(global);
        return;
      case NodeKind::jump_then:
        walk_.go_on(node.second);
        return;
      case NodeKind::exit:
        walk_.exit();
        exited();
        return;
      case NodeKind::exit_unwinding:
      case NodeKind::unwinding:
        walk_.exit_unwinding();
        exited();
        return;
      case NodeKind::second_return:
        sink_.target(node.site, answer_of(event));
        if (event.kind == EventKind::exit) {
          walk_.exit_unwinding();
          exited();
        } else {
          walk_.follow(event);
        }
        return;
      case NodeKind::exit_then:
        walk_.exit_then(node.first);
        exited();
        return;
      case NodeKind::call:
        entered(node.site);
        walk_.enter(event.id, node.second);
        return;
      case NodeKind::after_exit:
        entered(node.site);
        walk_.enter(event.id, walk_.resumed());
        return;
      case NodeKind::free:
        sink_.target(node.site, answer_of(event));
        if (event.kind == EventKind::enter) {
          sink_.target(node.site + 1, event.id);
          entered(node.site);
        } else if (event.kind == EventKind::exit) {
          exited();
        }
        walk_.follow(event);
        return;
      default:  // asks
        sink_.target(node.site, event.id + 1);
        entered(node.site);
        walk_.answer(event.id + 1);
    }
  }

  Walk walk_;
  Sink& sink_;
  std::uint64_t distance_ = 0;
};

}  // namespace pathspool::playback
