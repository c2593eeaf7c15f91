#include "cli/option_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pathspool::cli {

namespace {

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  facts.positional = option.get_positional();
  facts.required = option.get_required();
  if (facts.positional) {
    facts.names.push_back(option.get_name(true, false));
  } else {
    for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
    if (option.get_type_size() != 0) facts.argument = option.get_type_name();
  }
  facts.description = option.get_description();
  if (!option.get_default_str().empty()) {
    facts.description += fmt::format(" (default: {})", option.get_default_str());
  }
  return facts;
}

}  // namespace

std::vector<OptionFacts> options_of(const CLI::App& app) {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : app.get_options()) {
    if (option != app.get_help_ptr()) all.push_back(facts_of(*option));
  }
  // CLI11 keeps help first; it interests people last.
  if (app.get_help_ptr() != nullptr) all.push_back(facts_of(*app.get_help_ptr()));
  std::stable_partition(all.begin(), all.end(),
                        [](const OptionFacts& option) { return option.positional; });
  return all;
}

std::vector<std::string> usage_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const OptionFacts& option : options_of(app)) {
    std::string word = option.names.front();
    if (!option.argument.empty()) word += " " + option.argument;
    words.push_back(option.required ? word : fmt::format("[{}]", word));
  }
  // The last is --help, which goes without saying.
  words.pop_back();
  return words;
}

}  // namespace pathspool::cli
