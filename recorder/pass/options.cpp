#include "options.h"

#include <string_view>

namespace pathspool::pass {
namespace {

bool set(Options& options, std::string_view key, std::string_view value) {
  if (key == "stage" && (value == "source" || value == "optimized")) {
    options.stage = value == "source" ? Stage::source : Stage::optimized;
  } else if (key == "include") {
    options.include.emplace_back(value);
  } else if (key == "exclude") {
    options.exclude.emplace_back(value);
  } else if (key == "marked") {
    options.functions_are_marked = value == "1";
  } else if (key == "strip-debug") {
    options.strip_debug = value == "1";
  } else if (key == "verify") {
    options.verify = value == "1";
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool parse_options(const char* text, Options& options, std::string& error) {
  std::string_view left = text == nullptr ? "" : text;
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(line.size() == left.size() ? line.size() : line.size() + 1);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos ||
        !set(options, line.substr(0, equals), line.substr(equals + 1))) {
      error = std::string(kOptionsVariable) + ": what is '" + std::string(line) + "'?";
      return false;
    }
  }
  return true;
}

}  // namespace pathspool::pass
