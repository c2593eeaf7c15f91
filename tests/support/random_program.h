// Programs that never were: random control-flow graphs with call sites, and random runs of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/function_table.h"

namespace pathspool::testing {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed, std::uint32_t functions = 8) : random_(seed) {
    for (std::uint32_t id = 0; id < functions; ++id) add_function(id, functions);
  }

  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }

  // About so many events; the frames that are then open stay open.
  [[nodiscard]] std::vector<Event> run(std::size_t length) {
    events_.clear();
    length_ = length;
    while (events_.size() < length_) run(FunctionId{0}, 0);
    return events_;
  }

 private:
  enum class Ending { returned, thrown, stopped };

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  static std::string name_of_function(std::uint32_t id) { return "_Z1f" + std::to_string(id); }

  void add_function(std::uint32_t id, std::uint32_t functions) {
    Function function;
    function.name = name_of_function(id);
    if (below(3) > 0) function.demangled = "f" + std::to_string(id) + "(int)";
    if (below(4) > 0) function.file = "folder/file" + std::to_string(below(3)) + ".cpp";
    function.line = below(5) * 100;
    const std::uint32_t count = 1 + below(8);
    for (std::uint32_t block = 0; block < count; ++block) {
      function.blocks.push_back(random_block(count, functions));
    }
    functions_.push_back(std::move(function));
  }

  Block random_block(std::uint32_t count, std::uint32_t functions) {
    Block block;
    for (std::uint32_t i = below(4); i-- > 0;) block.lines.push_back(below(500));
    for (std::uint32_t i = below(3); i-- > 0;) {
      const auto kind = static_cast<CallKind>(below(3));
      const bool direct = kind == CallKind::direct;
      block.calls.push_back({kind, direct                       ? name_of_function(below(functions))
                                   : kind == CallKind::external ? "qsort"
                                                                : ""});
    }
    // Nothing leads back to the entry block.
    const auto successors = [&](std::uint32_t how_many) {
      for (std::uint32_t i = 0; i < how_many; ++i) {
        block.successors.push_back(BlockId{2 + below(count - 1)});
      }
    };
    block.terminator = static_cast<Terminator>(1 + below(8));
    if (count == 1 && block.terminator < Terminator::returned) {
      block.terminator = Terminator::returned;
    }
    // What cannot go on has called something.
    if (block.terminator == Terminator::unreachable) {
      block.calls.push_back({CallKind::external, "abort"});
    }
    if (block.terminator == Terminator::jump) successors(1);
    if (block.terminator == Terminator::conditional || block.terminator == Terminator::invoke) {
      successors(2);
    }
    if (block.terminator == Terminator::switched || block.terminator == Terminator::indirect) {
      successors(1 + below(5));
    }
    return block;
  }

  Ending leave(Ending ending) {
    events_.push_back(Event::exit());
    return ending;
  }

  Ending run(FunctionId id, unsigned depth) {
    const Function& function = functions_[static_cast<std::size_t>(id)];
    events_.push_back(Event::enter(id));
    BlockId at{1};
    while (true) {
      events_.push_back(Event::block(at));
      const Block& block = *function.block(at);
      if (events_.size() >= length_) return Ending::stopped;
      const Ending calls = run_calls(block, depth);
      if (calls == Ending::stopped) return calls;
      const bool invoke = block.terminator == Terminator::invoke;
      if (calls == Ending::thrown && !invoke) return leave(Ending::thrown);
      if (block.terminator == Terminator::returned) return returned(block, depth);
      if (block.terminator == Terminator::resumed) return leave(Ending::thrown);
      if (block.terminator == Terminator::unreachable) return leave(Ending::thrown);
      const std::size_t next = invoke ? (calls == Ending::thrown ? 1 : 0)
                                      : below(static_cast<std::uint32_t>(block.successors.size()));
      at = block.successors[next];
    }
  }

  Ending run_calls(const Block& block, unsigned depth) {
    for (const CallSite& call : block.calls) {
      if (depth < 8 && below(2) == 0) {
        const Ending ending = run(target(call), depth + 1);
        if (ending != Ending::returned) return ending;
      }
      if (below(20) == 0) return Ending::thrown;  // from what is not instrumented
    }
    return Ending::returned;
  }

  // Perhaps with a tail call.
  Ending returned(const Block& block, unsigned depth) {
    leave(Ending::returned);
    if (depth == 0 || block.calls.empty() || below(3) > 0) return Ending::returned;
    return run(target(block.calls.back()), depth);
  }

  FunctionId target(const CallSite& call) {
    for (std::uint32_t id = 0; id < functions_.size(); ++id) {
      if (call.kind == CallKind::direct && functions_[id].name == call.callee)
        return FunctionId{id};
    }
    return FunctionId{below(static_cast<std::uint32_t>(functions_.size()))};
  }

  std::mt19937_64 random_;
  std::vector<Function> functions_;
  std::vector<Event> events_;
  std::size_t length_ = 0;
};

}  // namespace pathspool::testing
