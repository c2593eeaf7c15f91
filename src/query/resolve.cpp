// What the names and lines of a query mean in a recording.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pathspool/error.h"
#include "pathspool/find.h"
#include "query/closest_functions.h"
#include "query/short_name.h"

namespace pathspool {
namespace {

constexpr std::size_t kMostNamesShown = 5;

// Whether the path ends with these components: `parse.c` and `src/parse.c` name `/x/src/parse.c`.
bool is_file(std::string_view path, std::string_view name) {
  if (name.empty() || !path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

// The ways to cut `file.c:name` in two: each colon may be the one.
struct FileAndName {
  std::string_view file;
  std::string_view name;
};
std::vector<FileAndName> cuts_of(std::string_view name) {
  std::vector<FileAndName> cuts;
  for (std::size_t colon = name.find(':'); colon != std::string_view::npos;
       colon = name.find(':', colon + 1)) {
    cuts.push_back({name.substr(0, colon), name.substr(colon + 1)});
  }
  return cuts;
}

std::vector<FunctionId> named_with_file(const FunctionTable& functions, std::string_view name) {
  std::vector<FunctionId> found;
  for (const FileAndName& cut : cuts_of(name)) {
    for (const FunctionId id : functions.named(cut.name)) {
      if (is_file(functions[id].file, cut.file)) found.push_back(id);
    }
  }
  return found;
}

// `ns::name` for `void ns::name<int>(int)`, also after a file; or else, just `name`.
std::vector<FunctionId> named_in_short(const FunctionTable& functions, std::string_view name) {
  const std::vector<FileAndName> cuts = cuts_of(name);
  std::vector<FunctionId> whole;
  std::vector<FunctionId> ends;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    const FunctionId id{i};
    const Function& function = functions[id];
    for (const bool with_template_arguments : {true, false}) {
      const std::string shorter = query::short_name(function.demangled, with_template_arguments);
      const auto is_named = [&](const auto& fits) {
        return fits(shorter, name) || std::ranges::any_of(cuts, [&](const FileAndName& cut) {
                 return is_file(function.file, cut.file) && fits(shorter, cut.name);
               });
      };
      if (shorter.empty() || !is_named(query::is_or_ends)) continue;
      const bool is_whole = is_named([](std::string_view a, std::string_view b) { return a == b; });
      (is_whole ? whole : ends).push_back(id);
      break;
    }
  }
  return whole.empty() ? ends : whole;
}

std::vector<FunctionId> functions_named(const FunctionTable& functions, std::string_view name) {
  std::vector<FunctionId> found = functions.named(name);
  if (found.empty()) found = named_with_file(functions, name);
  if (found.empty()) found = named_in_short(functions, name);
  return found;
}

const std::string& readable(const Function& function) {
  return function.demangled.empty() ? function.name : function.demangled;
}

// Several functions of one name are one to whoever asks if nothing that could be said tells them
// apart.
void require_one(const FunctionTable& functions, std::string_view name,
                 const std::vector<FunctionId>& found) {
  std::set<std::string> ways;
  for (const FunctionId id : found) {
    const Function& function = functions[id];
    const std::string file = function.file.empty() ? "" : function.file + ":";
    ways.insert(file + readable(function));
  }
  if (ways.size() == 1) return;
  const std::size_t shown = std::min(ways.size(), 2 * kMostNamesShown);
  const std::vector<std::string> first(ways.begin(),
                                       std::next(ways.begin(), static_cast<std::ptrdiff_t>(shown)));
  throw Error(fmt::format("'{}' is ambiguous: it could be {}{}", name, fmt::join(first, ", "),
                          shown < ways.size() ? ", ..." : ""));
}

// The blocks of a step; none if the function has none such, and then `absent` says so.
std::vector<BlockId> blocks_of(const Function& function, const ParsedQuery::Step& step,
                               std::string& absent) {
  const std::string& name = readable(function);
  if (step.block != BlockId{}) {
    if (!function.blocks.empty() && function.block(step.block) == nullptr) {
      absent = fmt::format("{} has no block B{}: it has {}", name, fmt::underlying(step.block),
                           function.blocks.size());
      return {};
    }
    return {step.block};
  }
  std::vector<BlockId> blocks;
  std::uint32_t first_line = UINT32_MAX;
  std::uint32_t last_line = 0;
  for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
    const std::vector<std::uint32_t>& lines = function.blocks[i].lines;
    for (const std::uint32_t line : lines) {
      first_line = std::min(first_line, line);
      last_line = std::max(last_line, line);
    }
    if (std::ranges::find(lines, step.line) != lines.end()) blocks.push_back(BlockId{i + 1});
  }
  if (last_line == 0)
    throw Error(fmt::format("the lines of {} are not known: name its blocks", name));
  if (!step.file.empty() && !is_file(function.file, step.file)) {
    absent = fmt::format("{} is in {}, not in {}", name, function.file, step.file);
    return {};
  }
  if (blocks.empty()) {
    absent = fmt::format("{} has no block with line {}: its lines are {} to {}", name, step.line,
                         first_line, last_line);
  }
  return blocks;
}

// What could have been meant.
std::string absence_of(const FunctionTable& functions, const std::string& name) {
  for (const FileAndName& cut : cuts_of(name)) {
    const std::vector<FunctionId> elsewhere = functions_named(functions, cut.name);
    if (elsewhere.empty()) continue;
    std::set<std::string> files;
    for (const FunctionId id : elsewhere) files.insert(functions[id].file);
    files.erase("");
    if (files.empty()) continue;
    return fmt::format("no function '{}': {} is in {}", name, cut.name, fmt::join(files, ", "));
  }
  const std::vector<std::string> closest =
      query::closest_functions(functions, name, kMostNamesShown);
  return fmt::format("no function '{}'{}{}", name,
                     closest.empty() ? "" : ": the closest names are ", fmt::join(closest, ", "));
}

}  // namespace

Query resolve_query(const FunctionTable& functions, const ParsedQuery& query) {
  Query resolved;
  const std::vector<FunctionId> found = functions_named(functions, query.function);
  if (found.empty()) {
    resolved.absent = absence_of(functions, query.function);
    return resolved;
  }
  require_one(functions, query.function, found);
  std::string absent;
  for (const FunctionId id : found) {
    Path path{id, {}};
    for (const ParsedQuery::Step& step : query.steps) {
      std::vector<BlockId> blocks = blocks_of(functions[id], step, absent);
      if (blocks.empty()) break;
      path.steps.push_back(std::move(blocks));
    }
    if (path.steps.size() == query.steps.size()) resolved.paths.push_back(std::move(path));
  }
  if (resolved.paths.empty()) resolved.absent = absent;
  return resolved;
}

}  // namespace pathspool
