// The two shapes of what `info` tells.
#pragma once

#include <string>

#include "cli/json_output.h"
#include "pathspool/spool.h"

namespace pathspool::cli {

[[nodiscard]] std::string info_text(const std::string& file, const Spool& spool);
[[nodiscard]] Json info_json(const std::string& file, const Spool& spool);

// The functions, to standard output.
void write_functions_text(const Spool& spool);
void write_functions_json(const std::string& file, const Spool& spool);

}  // namespace pathspool::cli
