#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "cli/option_facts.h"
#include "cli/verbs.h"

namespace pathspool::cli {

namespace {

constexpr std::size_t kWidth = 80;

constexpr std::array kOverallExamples = {
    Example{"compile a program with our clang", "pathspool cc -O2 prog.c -o prog"},
    Example{"record a run of it: leaves prog.spool", "pathspool record ./prog"},
    Example{"wind a trace in text form onto a spool, as a grammar",
            "pathspool pack run.txt -o run.spool --form grammar"},
    Example{"see what a spool holds", "pathspool info run.spool"},
    Example{"print 40 events of it from event 1000 of stream 0 on",
            "pathspool cat run.spool --from 0:1000 --to 0:1040"},
};

// Words filled into lines of at most kWidth, each after the first indented. A word longer than a
// line stands alone.
std::string filled(std::string_view start, const std::vector<std::string>& words,
                   std::size_t indent) {
  std::string text(start);
  std::size_t column = start.size();
  for (const std::string& word : words) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > 0 && text.back() != ' ') {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + "\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// A term in the left column, its explanation in the right one.
std::string two_columns(const std::string& term, std::string_view explanation) {
  constexpr std::size_t kLeft = 24;
  std::string start = "  " + term;
  if (start.size() + 2 > kLeft) {
    start += "\n" + std::string(kLeft, ' ');
    const std::string tail = filled(std::string(kLeft, ' '), words_of(explanation), kLeft);
    return start.substr(0, start.size() - kLeft) + tail;
  }
  start.resize(kLeft, ' ');
  return filled(start, words_of(explanation), kLeft);
}

std::string examples_text(std::span<const Example> examples) {
  std::string text = "Examples:\n";
  for (const Example& example : examples) {
    text += fmt::format("  # {}\n  {}\n", example.purpose, example.command);
  }
  return text;
}

}  // namespace

std::span<const Example> overall_examples() { return kOverallExamples; }

std::string help_for(const Verb& verb, const CLI::App& app) {
  std::string text = examples_text(verb.examples);
  const std::string usage = fmt::format("Usage: pathspool {}", verb.name);
  text += "\n" + filled(usage, usage_words(app), usage.size() + 1);
  for (const std::string_view paragraph : verb.description) {
    text += "\n" + filled("", words_of(paragraph), 0);
  }
  text += "\nOptions:\n";
  for (const OptionFacts& option : options_of(app)) {
    std::string term = fmt::format("{}", fmt::join(option.names, ", "));
    if (!option.argument.empty()) term += " " + option.argument;
    text += two_columns(term, option.description);
  }
  text += "\nExit status:\n";
  for (const ExitStatus& status : verb.statuses) {
    text += two_columns(std::to_string(status.status), status.meaning);
  }
  return text;
}

std::string help_for_all() {
  std::string text = examples_text(kOverallExamples);
  text += "\nUsage: pathspool VERB [OPTIONS] ...\n\nVerbs:\n";
  for (const Verb* verb : verbs()) text += two_columns(std::string(verb->name), verb->summary);
  text += "\nOptions:\n";
  text += two_columns("-h, --help", "Print this help and exit");
  text += two_columns("--version", "Print the version and exit");
  text += "\n'pathspool VERB --help' tells more of a verb.\n";
  return text;
}

}  // namespace pathspool::cli
