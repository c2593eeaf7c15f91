#include "cli/message_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/visible_text.h"

namespace pathspool::cli {

void print_message(std::string_view text) {
  const std::string line = fmt::format("pathspool: {}\n", visible(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace pathspool::cli
