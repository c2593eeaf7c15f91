// What CLI11 knows of a verb's options, in the shape that help and man page share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pathspool::cli {

struct OptionFacts {
  std::vector<std::string> names;  // "-o", "--output", or a positional's name
  std::string argument;            // what the option takes; empty for a flag
  std::string description;         // with the default, if there is one
  bool positional = false;
  bool required = false;
};

// Positionals first, each kind in the order in which it was declared.
[[nodiscard]] std::vector<OptionFacts> options_of(const CLI::App& app);

// The words of the usage line after the verb's name: `IN`, `-o OUT`, `[--no-index]`, ...
[[nodiscard]] std::vector<std::string> usage_words(const CLI::App& app);

}  // namespace pathspool::cli
