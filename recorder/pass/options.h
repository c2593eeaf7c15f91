// What the compiler wrapper tells the pass, through one environment variable: lines of key=value.
#pragma once

#include <string>
#include <vector>

namespace pathspool::pass {

// Set by `pathspool cc` for the clang that it runs.
inline constexpr const char* kOptionsVariable = "PATHSPOOL_PASS";

enum class Stage {
  source,     // after early simplification, before inlining: every source function and its paths
  optimized,  // at the end of the pipeline: cheapest
};

struct Options {
  Stage stage = Stage::source;
  std::vector<std::string> include;  // patterns; empty: everything
  std::vector<std::string> exclude;
  // Clang was told to mark the functions that may be instrumented, for no_instrument_function's
  // sake; the marks are to be taken off again.
  bool functions_are_marked = false;
  // Debug information was asked for only so that the tables have lines.
  bool strip_debug = false;
  bool verify = false;  // LLVM's verifier after every function: for tests
};

// Refuses unknown keys with a message in `error`.
bool parse_options(const char* text, Options& options, std::string& error);

}  // namespace pathspool::pass
