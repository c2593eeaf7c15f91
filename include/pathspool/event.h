// Events, the atoms of a trace, and the numbers that name things in it.
#pragma once

#include <compare>
#include <cstdint>

namespace pathspool {

// Numbers that differ in kind differ in type, so that swapped arguments do not compile.
enum class FunctionId : std::uint32_t {};  // index into the function table, from 0
enum class BlockId : std::uint32_t {};     // local to its function, from 1
enum class StreamId : std::uint32_t {};    // one thread of one process

enum class EventKind : std::uint32_t { exit = 0, enter = 1, block = 2 };

struct Event {
  EventKind kind = EventKind::exit;
  std::uint32_t id = 0;  // the function's for enter, the block's for block, 0 for exit

  [[nodiscard]] static constexpr Event enter(FunctionId function) {
    return {EventKind::enter, static_cast<std::uint32_t>(function)};
  }
  [[nodiscard]] static constexpr Event block(BlockId block) {
    return {EventKind::block, static_cast<std::uint32_t>(block)};
  }
  [[nodiscard]] static constexpr Event exit() { return {}; }

  [[nodiscard]] constexpr FunctionId function() const { return FunctionId{id}; }
  [[nodiscard]] constexpr BlockId block_id() const { return BlockId{id}; }

  friend constexpr bool operator==(const Event&, const Event&) = default;
};

// A place in a recording: stream S and the 0-based index N of an event in it, written `S:N`.
struct Position {
  StreamId stream{};
  std::uint64_t index = 0;

  friend constexpr auto operator<=>(const Position&, const Position&) = default;
};

}  // namespace pathspool
