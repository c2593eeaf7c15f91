// Which functions a recording keeps.
#pragma once

#include <string>
#include <vector>

#include "pathspool/function_table.h"

namespace pathspool::collector {

// Patterns are shell globs. One that matches a function's name, its demangled name, or either after
// `file.c:`, matches the function.
class FunctionFilter {
 public:
  FunctionFilter() = default;
  FunctionFilter(std::vector<std::string> include, std::vector<std::string> exclude)
      : include_(std::move(include)), exclude_(std::move(exclude)) {}

  // Whether no pattern of `exclude` matches, and one of `include` does, if there are any.
  [[nodiscard]] bool keeps(const Function& function) const;

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

}  // namespace pathspool::collector
