// What a clang command line asks for: enough to know what to add to it.
#pragma once

#include <span>
#include <string>

namespace pathspool::wrapper {

struct ClangRequest {
  // It only asks something, or only preprocesses or checks: to be left alone.
  bool makes_no_code = false;
  bool links = false;
  bool makes_shared_library = false;
  bool is_static = false;
  bool has_debug_lines = false;
  bool marks_functions = false;  // -finstrument-functions of its own
};

[[nodiscard]] ClangRequest read_clang_arguments(std::span<const std::string> arguments);

}  // namespace pathspool::wrapper
