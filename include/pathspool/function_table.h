// The functions of a recording: their names and, where a recorder knew them, their control-flow
// graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pathspool/event.h"

namespace pathspool {

// How a block ends. The numbers are the file's.
enum class Terminator : std::uint8_t {
  unknown = 0,
  jump = 1,         // to its only successor
  conditional = 2,  // successors: if true, if false
  switched = 3,     // successors: default, then the cases in order
  indirect = 4,     // a computed goto
  invoke = 5,       // a call; successors: normal, exceptional
  returned = 6,
  resumed = 7,      // goes on unwinding
  unreachable = 8,  // after a call that does not return, say
};

// Whom a call site calls. The numbers are the file's.
enum class CallKind : std::uint8_t {
  direct = 0,    // a function that is recorded, of the same module
  external = 1,  // another function, known by name
  indirect = 2,  // through a pointer
};

[[nodiscard]] std::string_view name_of(Terminator terminator);
[[nodiscard]] std::string_view name_of(CallKind kind);

struct CallSite {
  CallKind kind = CallKind::direct;
  std::string callee;  // as the linker knows it; empty if it is called through a pointer

  friend bool operator==(const CallSite&, const CallSite&) = default;
};

struct Block {
  std::vector<std::uint32_t> lines;  // of the function's source file; empty if unknown
  Terminator terminator = Terminator::unknown;
  std::vector<BlockId> successors;
  std::vector<CallSite> calls;  // in order

  friend bool operator==(const Block&, const Block&) = default;
};

// Everything but the name is optional: a trace that came from text has names only.
struct Function {
  std::string name;           // as the linker knows it
  std::string demangled;      // empty if it is the same
  std::string file;           // empty if unknown
  std::uint32_t line = 0;     // 0 if unknown
  std::vector<Block> blocks;  // of ids 1, 2, ...; empty if unknown

  // Null if the function has no such block, or its blocks are unknown.
  [[nodiscard]] const Block* block(BlockId id) const {
    const auto number = static_cast<std::uint32_t>(id);
    return number == 0 || number > blocks.size() ? nullptr : &blocks[number - 1];
  }

  friend bool operator==(const Function&, const Function&) = default;
};

class FunctionTable {
 public:
  FunctionId add(Function function);

  // The function of this name that has no source file, as in the text form; added if it is new.
  FunctionId intern(std::string_view name);

  [[nodiscard]] std::size_t size() const { return functions_.size(); }
  [[nodiscard]] const Function& operator[](FunctionId id) const {
    return functions_[static_cast<std::size_t>(id)];
  }

  // The name in the text form: `name`, or `file.c:name` when functions of several files share the
  // name.
  [[nodiscard]] std::string display_name(FunctionId id) const;
  // The name for people: the demangled one where it is known, otherwise as in the text form.
  [[nodiscard]] std::string readable_name(FunctionId id) const;

  // Every function with this name, demangled or not, in order of id.
  [[nodiscard]] std::vector<FunctionId> named(std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  template <typename NameOf>
  [[nodiscard]] std::string with_file_if_shared(FunctionId id,
                                                const NameOf& name_of_function) const;

  std::vector<Function> functions_;
  std::unordered_map<std::string, std::vector<FunctionId>, Hash, std::equal_to<>> by_name_;
};

}  // namespace pathspool
