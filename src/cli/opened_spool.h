// Opening a spool for a verb.
#pragma once

#include <string>

#include "pathspool/spool.h"

namespace pathspool::cli {

// Opens the file; if it is truncated, says so on standard error, once.
[[nodiscard]] Spool open_spool(const std::string& file);

// Throws FileError for `-`: a spool cannot be read from a pipe.
void require_a_file(const std::string& file);

// `pathspool: FILE: truncated: ...` on standard error.
void warn_of_truncation(const std::string& file, const Truncation& truncation);

}  // namespace pathspool::cli
