#include "pathspool/function_table.h"

#include <algorithm>
#include <filesystem>

namespace pathspool {

FunctionId FunctionTable::add(Function function) {
  const FunctionId id{static_cast<std::uint32_t>(functions_.size())};
  by_name_[function.name].push_back(id);
  functions_.push_back(std::move(function));
  return id;
}

FunctionId FunctionTable::intern(std::string_view name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    for (const FunctionId id : found->second) {
      if ((*this)[id].file.empty()) return id;
    }
  }
  Function function;
  function.name = name;
  return add(std::move(function));
}

std::string FunctionTable::display_name(FunctionId id) const {
  const Function& function = (*this)[id];
  if (function.file.empty()) return function.name;
  const std::vector<FunctionId>& namesakes = by_name_.find(function.name)->second;
  const bool alone = std::ranges::all_of(
      namesakes, [&](FunctionId other) { return (*this)[other].file == function.file; });
  if (alone) return function.name;
  return std::filesystem::path(function.file).filename().string() + ":" + function.name;
}

std::vector<FunctionId> FunctionTable::named(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::vector<FunctionId>{} : found->second;
}

}  // namespace pathspool
