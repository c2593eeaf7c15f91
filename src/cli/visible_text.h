// Text from outside, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace pathspool::cli {

// The text with control bytes as escapes, so that it stays on one line and cannot drive a terminal.
[[nodiscard]] std::string visible(std::string_view text);

}  // namespace pathspool::cli
