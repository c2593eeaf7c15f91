// Queries as tests write them.
#pragma once

#include <cstdint>
#include <vector>

#include "match/search.h"

namespace pathspool::testing {

[[nodiscard]] inline match::PathQuery query(std::uint32_t function,
                                            const std::vector<std::uint32_t>& blocks) {
  match::PathQuery asked;
  asked.function = FunctionId{function};
  for (const std::uint32_t block : blocks) asked.steps.push_back({BlockId{block}});
  return asked;
}

// Each query is given its index as its number.
[[nodiscard]] inline std::vector<match::FunctionPaths> numbered(
    std::vector<match::PathQuery> queries) {
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].number = static_cast<std::uint32_t>(i);
  }
  return match::paths_by_function(queries);
}

}  // namespace pathspool::testing
