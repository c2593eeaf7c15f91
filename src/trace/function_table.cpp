#include "pathspool/function_table.h"

#include <algorithm>
#include <filesystem>

namespace pathspool {

std::string_view name_of(Terminator terminator) {
  switch (terminator) {
    case Terminator::unknown:
      break;
    case Terminator::jump:
      return "jump";
    case Terminator::conditional:
      return "conditional";
    case Terminator::switched:
      return "switch";
    case Terminator::indirect:
      return "indirect";
    case Terminator::invoke:
      return "invoke";
    case Terminator::returned:
      return "return";
    case Terminator::resumed:
      return "resume";
    case Terminator::unreachable:
      return "unreachable";
  }
  return "unknown";
}

std::string_view name_of(CallKind kind) {
  switch (kind) {
    case CallKind::direct:
      return "direct";
    case CallKind::external:
      return "external";
    case CallKind::indirect:
      return "indirect";
  }
  return "unknown";
}

FunctionId FunctionTable::add(Function function) {
  const FunctionId id{static_cast<std::uint32_t>(functions_.size())};
  by_name_[function.name].push_back(id);
  if (!function.demangled.empty() && function.demangled != function.name) {
    by_name_[function.demangled].push_back(id);
  }
  functions_.push_back(std::move(function));
  return id;
}

FunctionId FunctionTable::intern(std::string_view name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    for (const FunctionId id : found->second) {
      if ((*this)[id].name == name && (*this)[id].file.empty()) return id;
    }
  }
  Function function;
  function.name = name;
  return add(std::move(function));
}

namespace {

const std::string& readable(const Function& function) {
  return function.demangled.empty() ? function.name : function.demangled;
}

}  // namespace

template <typename NameOf>
std::string FunctionTable::with_file_if_shared(FunctionId id,
                                               const NameOf& name_of_function) const {
  const Function& function = (*this)[id];
  const std::string& name = name_of_function(function);
  if (function.file.empty()) return name;
  const std::vector<FunctionId>& namesakes = by_name_.find(name)->second;
  const bool alone = std::ranges::all_of(namesakes, [&](FunctionId other) {
    return (*this)[other].file == function.file || name_of_function((*this)[other]) != name;
  });
  if (alone) return name;
  return std::filesystem::path(function.file).filename().string() + ":" + name;
}

std::string FunctionTable::display_name(FunctionId id) const {
  return with_file_if_shared(
      id, [](const Function& function) -> const std::string& { return function.name; });
}

std::string FunctionTable::readable_name(FunctionId id) const {
  return with_file_if_shared(id, readable);
}

std::vector<FunctionId> FunctionTable::named(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::vector<FunctionId>{} : found->second;
}

}  // namespace pathspool
