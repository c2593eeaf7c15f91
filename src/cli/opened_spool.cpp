#include "cli/opened_spool.h"

#include <fmt/format.h>

#include "cli/command_error.h"
#include "cli/counted.h"
#include "cli/message_line.h"

namespace pathspool::cli {

Spool open_spool(const std::string& file) {
  require_a_file(file);
  Spool spool = naming(file, [&] { return Spool::open(file); });
  if (const auto truncation = spool.truncation()) warn_of_truncation(file, *truncation);
  return spool;
}

void require_a_file(const std::string& file) {
  if (file == "-") throw FileError("standard input", "a spool needs a seekable file");
}

void warn_of_truncation(const std::string& file, const Truncation& truncation) {
  const std::string cut =
      truncation.unusable_bytes == 0
          ? fmt::format("it ends at offset {}", truncation.complete_bytes)
          : fmt::format("{} after offset {} {} unusable",
                        counted(truncation.unusable_bytes, "byte"), truncation.complete_bytes,
                        truncation.unusable_bytes == 1 ? "is" : "are");
  print_message(fmt::format("{}: truncated: {}, at least {} {} missing", file, cut,
                            counted(truncation.missing_bytes, "byte"),
                            truncation.missing_bytes == 1 ? "is" : "are"));
}

}  // namespace pathspool::cli
