// Decisions to events: walks the control-flow graphs and asks where they do not say how to go on.
//
// TODO(5): what is still to come.
// Form `bits`: a segment stores its number of events, of how many functions its NodeTable is made,
// the decisions (branch/decision_encoder.h) and, as a blob of its own, the escapes, since a player
// wants the next distance early; the reader refuses blocks that a function does not have. The order
// of nodes, the numbers of sites and the limits of learning belong in docs/format.md. Forgetting
// the model every 16 M decisions costs 2.6% in the mean (tinyscheme 16%): chain it, or use longer
// segments.
// Recording bits: a program knows no distances, so a walker in the collector with fixed rules turns
// the ring into events, and a DecisionMaker does the rest. For that the pass has to tell of each
// call site whether it is a tail call and whether it may record; write a bit per conditional and
// the index among the distinct successors of a switch; write enter words of functions that are
// exported or whose address is taken; write exits, landings and second returns with the block they
// happen in; mark calls that may call back if no decision lies between two of them; and close the
// current word of bits with its stop bit before any other word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "playback/walk.h"

namespace pathspool::playback {

// A source gives what a DecisionMaker's sink was given, in the same order:
//   bool conditional(site); uint32 choice(site, count); uint32 jump(site, count);
//   uint32 target(site);
//   std::optional<Escape> escape()   the next one, asked for in advance
// and may take entered(site) and exited(). What it gives may be anything: a Player throws Error
// where it cannot be followed.
template <typename Source>
class Player {
 public:
  // There are so many events, whatever the decisions are.
  Player(const NodeTable& table, Source& source, std::uint64_t events,
         std::span<const FunctionId> open_frames = {})
      : walk_(table, open_frames), source_(source), events_left_(events) {
    next_escape();
  }

  // How many events it wrote: fewer than there is room for only at the end.
  std::size_t play(std::span<Event> events) {
    std::size_t done = 0;
    while (done < events.size() && events_left_ > 0) {
      if (until_escape_ == 0) {
        events[done++] = surprise();
        --events_left_;
        continue;
      }
      const auto foreseen = static_cast<std::size_t>(
          std::min<std::uint64_t>(events.size() - done, std::min(events_left_, until_escape_)));
      play_foreseen(events.subspan(done, foreseen));
      done += foreseen;
      events_left_ -= foreseen;
      until_escape_ -= foreseen;
    }
    return done;
  }

 private:
  void entered(std::uint32_t site) {
    if constexpr (requires { source_.entered(site); }) source_.entered(site);
  }
  void exited() {
    if constexpr (requires { source_.exited(); }) source_.exited();
  }

  void next_escape() {
    escape_ = source_.escape();
    until_escape_ = escape_ ? escape_->distance : UINT64_MAX;
  }

  Event surprise() {
    const Event event = escape_->event;
    if (event.kind == EventKind::enter) {
      check_exists(event.id);
      entered(walk_.node().site);
    }
    if (event.kind == EventKind::exit) exited();
    walk_.surprise(event);
    next_escape();
    return event;
  }

  Event block(std::uint64_t global) {
    walk_.block(global);
    return Event::block(BlockId{static_cast<std::uint32_t>(global - walk_.base())});
  }

  Event enter(const Node& node, std::uint32_t then) {
    const std::uint32_t function = node.first;
    entered(node.site);
    walk_.enter(function, then);
    return Event::enter(FunctionId{function});
  }

  // Conditionals and jumps are most of what there is: in between, where the walk is stays in a
  // register.
  void play_foreseen(std::span<Event> events) {
    std::uint32_t at = walk_.at();
    for (Event& event : events) {
      const Node& node = walk_.node(at);
      std::uint32_t to = node.first;
      if (node.kind == NodeKind::conditional) {
        if (!source_.conditional(node.site)) to = node.second;
      } else if (node.kind != NodeKind::jump) {
        walk_.go_on(at);
        event = next();
        at = walk_.at();
        continue;
      }
      event = Event::block(BlockId{static_cast<std::uint32_t>(to - walk_.base())});
      at = walk_.entry_of(to);
    }
    walk_.go_on(at);
  }

  Event next() {
    while (true) {
      const Node& node = walk_.node();
      switch (node.kind) {
        case NodeKind::conditional:
        case NodeKind::invoke_asked:
          return block(source_.conditional(node.site) ? node.first : node.second);
        case NodeKind::jump:
        case NodeKind::invoke:
          return block(node.first);
        case NodeKind::exit:
          walk_.exit();
          exited();
          return Event::exit();
        case NodeKind::call:
          return enter(node, node.second);
        case NodeKind::choice:
          return block(successor(node, source_.choice(node.site, node.second)));
        case NodeKind::computed:
          return block(successor(node, source_.jump(node.site, node.second)));
        case NodeKind::redirect:
          walk_.go_on(node.first);
          break;
        case NodeKind::jump_then: {
          const auto id = static_cast<std::uint32_t>(node.first - walk_.base());
          walk_.go_on(node.second);
          return Event::block(BlockId{id});
        }
        case NodeKind::exit_unwinding:
        case NodeKind::unwinding:
          walk_.exit_unwinding();
          exited();
          return Event::exit();
        case NodeKind::landing:
          return block(walk_.landing());
        case NodeKind::second_return:
          return return_twice(source_.target(node.site));
        case NodeKind::exit_then:
          walk_.exit_then(node.first);
          exited();
          return Event::exit();
        case NodeKind::after_exit:
          return enter(node, walk_.resumed());
        case NodeKind::after_exit_silent:
          walk_.go_on(walk_.resumed());
          break;
        case NodeKind::free:
          return freely(node.site);
        default:
          if (const std::uint32_t target = source_.target(node.site); target == kEntersNothing) {
            walk_.answer(target);
          } else {
            check_exists(target - 1);
            entered(node.site);
            walk_.answer(target);
            return Event::enter(FunctionId{target - 1});
          }
      }
    }
  }

  void check_exists(std::uint32_t function) const {
    if (!walk_.table().exists(function)) throw Error("a function is entered that is not listed");
  }

  [[nodiscard]] std::uint32_t successor(const Node& node, std::uint32_t index) const {
    if (index >= node.second) throw Error("a switch goes to a successor that it does not have");
    return walk_.table().successor(node, index);
  }

  Event return_twice(std::uint32_t answer) {
    if (answer == kAnswerEnter) throw Error("a function is entered while frames are unwound");
    if (answer == kAnswerExit) {
      walk_.exit_unwinding();
      exited();
      return Event::exit();
    }
    const Event event = Event::block(BlockId{answer - 1});
    walk_.follow(event);
    return event;
  }

  Event freely(std::uint32_t site) {
    const std::uint32_t answer = source_.target(site);
    Event event = Event::exit();
    if (answer == kAnswerEnter) {
      event = Event::enter(FunctionId{source_.target(site + 1)});
      check_exists(event.id);
      entered(site);
    } else if (answer == kAnswerExit) {
      exited();
    } else {
      event = Event::block(BlockId{answer - 1});
    }
    walk_.follow(event);
    return event;
  }

  Walk walk_;
  Source& source_;
  std::uint64_t events_left_;
  std::uint64_t until_escape_ = 0;
  std::optional<Escape> escape_;
};

}  // namespace pathspool::playback
