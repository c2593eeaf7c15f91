#include "recorder/collector/function_filter.h"

#include <fnmatch.h>

#include <algorithm>

namespace pathspool::collector {
namespace {

bool matches(const std::vector<std::string>& patterns, const Function& function) {
  if (patterns.empty()) return false;
  const std::string file = function.file.substr(function.file.rfind('/') + 1) + ":";
  std::vector<std::string> names = {function.name, file + function.name};
  if (!function.demangled.empty()) {
    names.push_back(function.demangled);
    names.push_back(file + function.demangled);
  }
  return std::ranges::any_of(patterns, [&names](const std::string& pattern) {
    return std::ranges::any_of(names, [&pattern](const std::string& name) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
  });
}

}  // namespace

bool FunctionFilter::keeps(const Function& function) const {
  if (matches(exclude_, function)) return false;
  return include_.empty() || matches(include_, function);
}

}  // namespace pathspool::collector
