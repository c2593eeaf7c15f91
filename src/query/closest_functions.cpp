#include "query/closest_functions.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <numeric>
#include <set>

namespace pathspool::query {
namespace {

// Longer names are compared by their starts: the distance costs by the product of both.
constexpr std::size_t kLongestCompared = 64;

std::string folded(std::string_view name) {
  std::string text(name.substr(0, kLongestCompared));
  for (char& byte : text) {
    byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  }
  return text;
}

// How many bytes are put in, left out or changed.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

struct Candidate {
  bool lacks_it = false;  // does not hold the name as a part
  std::size_t distance = 0;
  std::string name;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

}  // namespace

std::vector<std::string> closest_functions(const FunctionTable& functions, std::string_view name,
                                           std::size_t most) {
  const std::string wanted = folded(name);
  std::set<Candidate> best;
  const auto consider = [&](std::string shown) {
    const std::string text = folded(shown);
    const bool lacks_it = wanted.size() < 3 || text.find(wanted) == std::string::npos;
    best.insert({lacks_it, distance(wanted, text), std::move(shown)});
    if (best.size() > most) best.erase(std::prev(best.end()));
  };
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    consider(functions.readable_name(FunctionId{id}));
  }
  std::vector<std::string> names;
  for (const Candidate& candidate : best) names.push_back(candidate.name);
  return names;
}

}  // namespace pathspool::query
