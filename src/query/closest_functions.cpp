#include "query/closest_functions.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <numeric>
#include <set>

#include "query/short_name.h"

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

std::size_t scopes_in(std::string_view name) {
  std::size_t scopes = 0;
  for (std::size_t at = name.find("::"); at != std::string_view::npos;
       at = name.find("::", at + 2)) {
    ++scopes;
  }
  return scopes;
}

// The end of the name, with no more scopes than so many.
std::string_view with_scopes(std::string_view name, std::size_t scopes) {
  for (std::size_t left = scopes_in(name); left > scopes; --left) {
    name.remove_prefix(name.find("::") + 2);
  }
  return name;
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
  const std::size_t scopes = scopes_in(name);
  std::set<Candidate> best;
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    std::string shown = functions.readable_name(FunctionId{id});
    const std::string text = folded(shown);
    const bool lacks_it = wanted.size() < 3 || text.find(wanted) == std::string::npos;
    std::size_t changes = distance(wanted, text);
    const std::string& demangled = functions[FunctionId{id}].demangled;
    if (!demangled.empty()) {
      // Nobody writes all of a long name.
      const std::string bare = short_name(demangled, false);
      changes = std::min(changes, distance(wanted, folded(with_scopes(bare, scopes))));
    }
    best.insert({lacks_it, changes, std::move(shown)});
    if (best.size() > most) best.erase(std::prev(best.end()));
  }
  std::vector<std::string> names;
  for (const Candidate& candidate : best) names.push_back(candidate.name);
  return names;
}

}  // namespace pathspool::query
