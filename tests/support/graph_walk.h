// Whether the events of a stream are a walk through the control-flow graphs of its functions: the
// slow, obvious reference for what a recorder writes.
//
// In each frame the first block is 1 and each other one a successor of the one before; a frame is
// entered from a block with a call site, and exits after a block that returns, goes on unwinding,
// or was left by an exception or longjmp, so has a call site. What is not known is not judged:
// functions without blocks, and frames that were open before the stream began.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/spool.h"

namespace pathspool::testing {

struct GraphWalkOptions {
  // A forked child's stream begins with the frames of its parent, entered without blocks.
  bool copied_frames_first = false;
  // Handlers interrupt each other and may be left by siglongjmp: only the blocks are judged.
  bool signals = false;
  // The recording began inside frames, whose blocks and exits belong to no known frame.
  bool late = false;
};

class GraphWalk {
 public:
  GraphWalk(const FunctionTable& functions, const GraphWalkOptions& options)
      : functions_(functions), options_(options), facts_(functions.size()) {}

  // What is wrong with the event after all the ones before; none if it is as it should be.
  [[nodiscard]] std::optional<std::string> step(const Event& event) {
    const bool copied = options_.copied_frames_first && only_enters_;
    only_enters_ = only_enters_ && event.kind == EventKind::enter;
    switch (event.kind) {
      case EventKind::enter:
        return enter(event.function(), copied);
      case EventKind::exit:
        return exit();
      case EventKind::block:
        break;
    }
    return block(event.block_id());
  }

 private:
  static constexpr std::uint32_t kNoBlockYet = 0;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;  // the frame was there before its events

  struct Frame {
    FunctionId function{};
    std::uint32_t last = kNoBlockYet;
    std::uint32_t before_last = kNoBlockYet;
    // Blocks so far that call setjmp or the like: the frame may go on after each of them again.
    std::vector<std::uint32_t> marked;
    // The last block of the frame that this one called last, since this one's last block, and the
    // one before: it may have ended early, with a tail call, also one that jumps to a block which
    // only returns.
    FunctionId called{};
    std::uint32_t called_last = kNoBlockYet;
    std::uint32_t called_before_last = kNoBlockYet;
  };

  // What matters of a block.
  struct BlockFacts {
    bool calls = false;
    bool calls_anything = false;  // something outside the module, which may call back
    bool returns_twice = false;
    bool ends = false;
  };

  [[nodiscard]] const Function& function(FunctionId id) const { return functions_[id]; }
  [[nodiscard]] bool is_known(FunctionId id) const { return !function(id).blocks.empty(); }

  [[nodiscard]] const BlockFacts& facts(FunctionId id, std::uint32_t block) {
    std::vector<BlockFacts>& facts = facts_[static_cast<std::size_t>(id)];
    if (facts.empty()) {
      for (const Block& each : function(id).blocks) facts.push_back(facts_of(each));
    }
    return facts[block - 1];
  }

  [[nodiscard]] static BlockFacts facts_of(const Block& block) {
    BlockFacts facts;
    facts.ends =
        block.terminator == Terminator::returned || block.terminator == Terminator::resumed;
    facts.calls = !block.calls.empty() || block.terminator == Terminator::invoke;
    facts.calls_anything = block.calls.empty() && facts.calls;
    for (const CallSite& call : block.calls) {
      if (call.kind != CallKind::direct || call.callee.empty()) facts.calls_anything = true;
      const std::string_view callee = call.callee;
      if (callee.find("setjmp") != callee.npos || callee.find("vfork") != callee.npos) {
        facts.returns_twice = true;
      }
    }
    return facts;
  }

  // Whether `fits` of the frame's last block or of one that it may have come back to.
  template <typename Fits>
  [[nodiscard]] bool any_place(const Frame& frame, const Fits& fits) const {
    return fits(frame.last) || std::ranges::any_of(frame.marked, fits);
  }

  [[nodiscard]] std::string name(FunctionId id) const { return functions_.display_name(id); }
  [[nodiscard]] std::string place(const Frame& frame) const {
    if (frame.last == kNoBlockYet) return name(frame.function) + " before its first block";
    return name(frame.function) + " after block " + std::to_string(frame.last);
  }

  [[nodiscard]] bool may_call(FunctionId caller, std::uint32_t block, FunctionId callee) {
    const BlockFacts& known = facts(caller, block);
    if (known.calls_anything) return true;
    return std::ranges::any_of(function(caller).blocks[block - 1].calls, [&](const CallSite& call) {
      return call.callee == function(callee).name;
    });
  }

  [[nodiscard]] std::optional<std::string> enter(FunctionId callee, bool copied) {
    std::optional<std::string> wrong;
    if (!frames_.empty() && !copied && !options_.signals && !may_enter(frames_.back(), callee)) {
      wrong = name(callee) + " is entered from " + place(frames_.back()) +
              ", which does not call it there";
    }
    Frame& frame = frames_.emplace_back();
    frame.function = callee;
    if (copied) frame.last = kUnknown;
    return wrong;
  }

  [[nodiscard]] bool may_enter(const Frame& frame, FunctionId callee) {
    if (!is_known(frame.function) || frame.last == kUnknown) return true;
    const auto calls = [&](std::uint32_t block) {
      return block != kNoBlockYet && may_call(frame.function, block, callee);
    };
    if (any_place(frame, calls)) return true;
    // Whom the caller called has called it on its way out.
    return frame.called_last != kNoBlockYet &&
           (!is_known(frame.called) || frame.called_last == kUnknown ||
            may_call(frame.called, frame.called_last, callee) ||
            (frame.called_before_last != kNoBlockYet &&
             may_call(frame.called, frame.called_before_last, callee))) &&
           any_place(frame, [&](std::uint32_t block) {
             return block != kNoBlockYet && facts(frame.function, block).calls;
           });
  }

  [[nodiscard]] std::optional<std::string> exit() {
    if (frames_.empty()) {
      if (options_.late) return std::nullopt;
      return "an exit with no frame open";
    }
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (!frames_.empty()) {
      frames_.back().called = frame.function;
      // A function without blocks may have called anything.
      frames_.back().called_last = frame.last == kNoBlockYet ? kUnknown : frame.last;
      frames_.back().called_before_last = frame.before_last;
    }
    if (!is_known(frame.function) || frame.last == kUnknown || options_.signals)
      return std::nullopt;
    const bool may_end = any_place(frame, [&](std::uint32_t block) {
      return block != kNoBlockYet &&
             (facts(frame.function, block).ends || facts(frame.function, block).calls);
    });
    if (may_end) return std::nullopt;
    return "an exit from " + place(frame) + ", which neither returns nor calls there";
  }

  [[nodiscard]] std::optional<std::string> block(BlockId id) {
    if (frames_.empty()) {
      if (options_.late) return std::nullopt;
      return "a block with no frame open";
    }
    Frame& frame = frames_.back();
    if (!is_known(frame.function)) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(id);
    if (function(frame.function).block(id) == nullptr) {
      return "block " + std::to_string(number) + " of " + name(frame.function) + ", which has " +
             std::to_string(function(frame.function).blocks.size());
    }
    std::optional<std::string> wrong;
    if (!may_follow(frame, id)) {
      wrong =
          "block " + std::to_string(number) + " in " + place(frame) + ", where " + expected(frame);
    }
    if (facts(frame.function, number).returns_twice &&
        std::ranges::find(frame.marked, number) == frame.marked.end()) {
      frame.marked.push_back(number);
    }
    frame.before_last = frame.last == kUnknown ? kNoBlockYet : frame.last;
    frame.last = number;
    frame.called_last = kNoBlockYet;
    return wrong;
  }

  [[nodiscard]] bool may_follow(const Frame& frame, BlockId id) const {
    if (frame.last == kUnknown) return true;
    return any_place(frame, [&](std::uint32_t last) {
      if (last == kNoBlockYet) return id == BlockId{1};
      const std::vector<BlockId>& after = function(frame.function).blocks[last - 1].successors;
      return std::ranges::find(after, id) != after.end();
    });
  }

  [[nodiscard]] std::string expected(const Frame& frame) const {
    if (frame.last == kNoBlockYet) return "block 1 comes first";
    std::string text = "the successors are";
    for (const BlockId id : function(frame.function).blocks[frame.last - 1].successors) {
      text += ' ' + std::to_string(static_cast<std::uint32_t>(id));
    }
    return text;
  }

  const FunctionTable& functions_;
  GraphWalkOptions options_;
  std::vector<std::vector<BlockFacts>> facts_;  // by function, made when it is first met
  std::vector<Frame> frames_;
  bool only_enters_ = true;
};

// How a stream of a recording is to be judged.
[[nodiscard]] inline GraphWalkOptions graph_walk_options(const StreamInfo& stream) {
  GraphWalkOptions options;
  options.copied_frames_first = stream.parent.has_value();
  options.signals = stream.title.ends_with("(signals)");
  return options;
}

struct OffTheGraph {
  Position position;
  std::string what;
};

// The first event of the recording that leaves the graph; none if all is well.
[[nodiscard]] inline std::optional<OffTheGraph> off_the_graph(const Spool& spool,
                                                              bool late = false) {
  for (const StreamInfo& stream : spool.streams()) {
    GraphWalkOptions options = graph_walk_options(stream);
    options.late = late;
    GraphWalk walk(spool.functions(), options);
    EventCursor cursor = spool.events(stream.id);
    while (cursor.next()) {
      for (std::size_t i = 0; i < cursor.batch().size(); ++i) {
        if (auto wrong = walk.step(cursor.batch()[i])) {
          return OffTheGraph{{stream.id, cursor.index() + i}, std::move(*wrong)};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace pathspool::testing
