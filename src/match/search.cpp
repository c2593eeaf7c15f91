#include "match/search.h"

#include <map>

namespace pathspool::match {

std::vector<FunctionPaths> paths_by_function(std::span<const PathQuery> queries) {
  struct Asked {
    std::vector<PathAutomaton::Steps> paths;
    std::vector<std::uint32_t> queries;
  };
  std::map<FunctionId, Asked> by_function;
  for (const PathQuery& query : queries) {
    Asked& asked = by_function[query.function];
    asked.paths.push_back(query.steps);
    asked.queries.push_back(query.number);
  }
  std::vector<FunctionPaths> functions;
  functions.reserve(by_function.size());
  for (auto& [function, asked] : by_function) {
    functions.push_back({function, PathAutomaton(asked.paths), std::move(asked.queries)});
  }
  return functions;
}

}  // namespace pathspool::match
