// Options that take one of a few names.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_error.h"

namespace pathspool::cli {

template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

// Adds an option that sets `target`, whose present value is the default and one of the choices.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& target,
                        const Choices<Value>& choices, const std::string& description) {
  std::vector<std::string> names;
  std::string default_name;
  for (const auto& [choice, value] : choices) {
    names.push_back(choice);
    if (value == target) default_name = choice;
  }
  const auto choose = [&target, choices, names, name](const std::string& text) {
    for (const auto& [choice, value] : choices) {
      if (choice == text) {
        target = value;
        return;
      }
    }
    throw UsageError(fmt::format("{}: '{}' is none of {}", name, text, fmt::join(names, ", ")));
  };
  return app.add_option_function<std::string>(name, choose, description)
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->default_str(default_name);
}

enum class Format { text, json };

inline void add_format(CLI::App& app, Format& target) {
  add_choice<Format>(app, "--format", target, {{"text", Format::text}, {"json", Format::json}},
                     "How to print the report");
}

}  // namespace pathspool::cli
