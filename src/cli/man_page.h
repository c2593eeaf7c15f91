// Manual pages in troff, from the same source as --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verb.h"

namespace pathspool::cli {

// pathspool-VERB(1); `app` holds the verb's options.
[[nodiscard]] std::string man_page_for(const Verb& verb, const CLI::App& app);

// pathspool(1).
[[nodiscard]] std::string man_page_for_all();

}  // namespace pathspool::cli
