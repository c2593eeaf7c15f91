// What the names and lines of a query mean in a recording.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pathspool/error.h"
#include "pathspool/find.h"
#include "query/closest_functions.h"

namespace pathspool {
namespace {

constexpr std::size_t kMostNamesShown = 5;

// Whether the path ends with these components: `parse.c` and `src/parse.c` name `/x/src/parse.c`.
bool is_file(std::string_view path, std::string_view name) {
  if (name.empty() || !path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

// `file.c:name`, wherever its colon is.
std::vector<FunctionId> named_with_file(const FunctionTable& functions, std::string_view name) {
  std::vector<FunctionId> found;
  for (std::size_t colon = name.find(':'); colon != std::string_view::npos;
       colon = name.find(':', colon + 1)) {
    for (const FunctionId id : functions.named(name.substr(colon + 1))) {
      if (is_file(functions[id].file, name.substr(0, colon))) found.push_back(id);
    }
  }
  return found;
}

// `name` for `name(int, char const*)` and for `void name<int>(int)`.
std::vector<FunctionId> named_in_short(const FunctionTable& functions, std::string_view name) {
  std::vector<FunctionId> found;
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    const std::string_view demangled = functions[FunctionId{id}].demangled;
    for (std::size_t at = demangled.find(name); at != std::string_view::npos;
         at = demangled.find(name, at + 1)) {
      const bool begins = at == 0 || demangled[at - 1] == ' ';
      const std::string_view rest = demangled.substr(at + name.size());
      if (begins && (rest.starts_with('(') || rest.starts_with('<'))) {
        found.push_back(FunctionId{id});
        break;
      }
      // What comes after the parameters' start is their types.
      if (demangled.substr(0, at).find('(') != std::string_view::npos) break;
    }
  }
  return found;
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
  bool known = false;
  for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
    const std::vector<std::uint32_t>& lines = function.blocks[i].lines;
    known |= !lines.empty();
    if (std::ranges::find(lines, step.line) != lines.end()) blocks.push_back(BlockId{i + 1});
  }
  if (!known) throw Error(fmt::format("the lines of {} are not known: name its blocks", name));
  if (!step.file.empty() && !is_file(function.file, step.file)) {
    absent = fmt::format("{} is in {}, not in {}", name, function.file, step.file);
    return {};
  }
  if (blocks.empty()) absent = fmt::format("{} has no block with line {}", name, step.line);
  return blocks;
}

}  // namespace

Query resolve_query(const FunctionTable& functions, const ParsedQuery& query) {
  Query resolved;
  const std::vector<FunctionId> found = functions_named(functions, query.function);
  if (found.empty()) {
    const std::vector<std::string> closest =
        query::closest_functions(functions, query.function, kMostNamesShown);
    resolved.absent =
        fmt::format("no function '{}'{}{}", query.function,
                    closest.empty() ? "" : ": the closest names are ", fmt::join(closest, ", "));
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
