#include "cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cli/closest_name.h"

namespace pathspool::cli {

namespace {

constexpr std::array<const Verb*, 9> kVerbs = {&kCompileC, &kCompileCxx, &kRecord,  &kPack, &kCat,
                                               &kInfo,     &kCheck,      &kGrammar, &kFind};

// Verbs that the documentation names and this version does not have yet.
constexpr std::array<std::string_view, 9> kVerbsToCome = {
    "hot", "fold", "diff", "replay", "gen", "squeeze", "unsqueeze", "tune", "view"};

}  // namespace

std::span<const Verb* const> verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  const auto found = std::ranges::find(kVerbs, name, &Verb::name);
  return found == kVerbs.end() ? nullptr : *found;
}

std::string unknown_verb_message(std::string_view name) {
  if (std::ranges::find(kVerbsToCome, name) != kVerbsToCome.end()) {
    return fmt::format("this version has no verb '{}'", name);
  }
  std::vector<std::string> names;
  for (const Verb* verb : kVerbs) names.emplace_back(verb->name);
  return fmt::format("no verb '{}': the closest is '{}' (see 'pathspool --help')", name,
                     closest_name(name, names));
}

}  // namespace pathspool::cli
