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

struct Edge {
  BlockId from{};
  BlockId to{};

  friend bool operator==(const Edge&, const Edge&) = default;
};

// Everything but the name is optional: a trace that came from text has names only.
struct Function {
  std::string name;
  std::string file;                        // empty if unknown
  std::uint32_t line = 0;                  // 0 if unknown
  std::uint32_t block_count = 0;           // 0 if unknown
  std::vector<std::uint32_t> block_lines;  // of blocks 1, 2, ...; empty if unknown
  std::vector<Edge> edges;                 // empty if unknown

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

  // The name to show: `name`, or `file.c:name` when functions of several files share the name.
  [[nodiscard]] std::string display_name(FunctionId id) const;

  // Every function with this name, in order of id.
  [[nodiscard]] std::vector<FunctionId> named(std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<Function> functions_;
  std::unordered_map<std::string, std::vector<FunctionId>, Hash, std::equal_to<>> by_name_;
};

}  // namespace pathspool
