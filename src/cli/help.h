// What --help prints.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "cli/verb.h"

namespace pathspool::cli {

// Examples first, then usage, then the options; `app` holds the verb's options.
[[nodiscard]] std::string help_for(const Verb& verb, const CLI::App& app);

// Examples, usage and the verbs.
[[nodiscard]] std::string help_for_all();

// The examples of the program as a whole.
[[nodiscard]] std::span<const Example> overall_examples();

}  // namespace pathspool::cli
