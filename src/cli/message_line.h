// Lines on standard error.
#pragma once

#include <string_view>

namespace pathspool::cli {

// Writes `pathspool: TEXT` as exactly one line: control bytes, as a file's name may hold, are shown
// as escapes. Failing to write it is nothing that could be reported.
void print_message(std::string_view text);

}  // namespace pathspool::cli
