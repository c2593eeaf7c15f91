#include "cli/closest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pathspool::cli {

namespace {

// Nobody means a verb or an option by something longer, and the distance costs by the product of
// both.
constexpr std::size_t kLongestName = 64;

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string closest_name(std::string_view mistyped, std::span<const std::string> names) {
  const std::string_view start = mistyped.substr(0, kLongestName);
  return *std::ranges::min_element(names, {},
                                   [&](const std::string& name) { return distance(start, name); });
}

}  // namespace pathspool::cli
