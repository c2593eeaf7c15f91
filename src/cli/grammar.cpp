// pathspool grammar: the rules, as the papers print them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/choice_option.h"
#include "cli/command_error.h"
#include "cli/counted.h"
#include "cli/json_output.h"
#include "cli/number_arguments.h"
#include "cli/opened_spool.h"
#include "cli/standard_output.h"
#include "cli/verb.h"
#include "pathspool/spool.h"
#include "pathspool/text.h"

namespace pathspool::cli {

namespace {

struct GrammarArguments {
  std::string file;
  Format format = Format::text;
  std::optional<std::uint64_t> segment;
};

std::string rule_name(std::uint32_t rule) { return rule == 0 ? "S" : fmt::format("R{}", rule); }

bool looks_like_a_rule(std::string_view name) {
  if (name == "S") return true;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return name.size() > 1 && name.front() == 'R' && std::ranges::all_of(name.substr(1), is_digit);
}

std::string text_of(const RuleItem& item, const FunctionTable& functions) {
  if (item.is_rule) return rule_name(item.rule);
  switch (item.event.kind) {
    case EventKind::exit:
      return "E";
    case EventKind::block:
      return fmt::format("B{}", item.event.id);
    case EventKind::enter:
      break;
  }
  const std::string name = functions.display_name(item.event.function());
  return looks_like_a_rule(name) ? pathspool::quoted(name) : quoted_if_needed(name);
}

Json json_of(const RuleItem& item, const FunctionTable& functions) {
  if (item.is_rule) return {{"rule", rule_name(item.rule)}};
  switch (item.event.kind) {
    case EventKind::exit:
      return {{"exit", true}};
    case EventKind::block:
      return {{"block", item.event.id}};
    case EventKind::enter:
      break;
  }
  return {{"enter", functions.display_name(item.event.function())}, {"function", item.event.id}};
}

std::string why_no_grammar(const std::vector<SegmentInfo>& segments) {
  if (segments.empty()) return "has no grammar: it holds no events";
  return fmt::format("has no grammar: it is stored as {} (pack it with --form grammar)",
                     name_of(segments.front().form));
}

// The numbers of the segments to print.
std::vector<std::size_t> chosen_segments(const GrammarArguments& arguments,
                                         const std::vector<SegmentInfo>& segments) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].form == Form::grammar) chosen.push_back(i);
  }
  if (chosen.empty()) throw FileError(arguments.file, why_no_grammar(segments));
  if (!arguments.segment) return chosen;
  if (*arguments.segment >= segments.size()) {
    throw FileError(arguments.file,
                    fmt::format("has no segment {} (it has {}, counted from 0)", *arguments.segment,
                                counted(segments.size(), "segment")));
  }
  const std::size_t segment = *arguments.segment;
  if (segments[segment].form != Form::grammar) {
    throw FileError(arguments.file, fmt::format("segment {} has no grammar: it is stored as {}",
                                                segment, name_of(segments[segment].form)));
  }
  return {segment};
}

void print_text(const Spool& spool, const std::vector<std::size_t>& chosen) {
  for (const std::size_t segment : chosen) {
    if (segment != chosen.front()) write_output(fmt::format("# segment {}\n", segment));
    spool.visit_rules(segment, [&](std::uint32_t rule, std::span<const RuleItem> body) {
      write_output(rule_name(rule) + " -> ");
      const char* separator = "";
      for (const RuleItem& item : body) {
        write_output(separator + text_of(item, spool.functions()));
        separator = ",";
      }
      write_output("\n");
    });
  }
}

// A rule a line: a grammar may be too large to be held as one JSON value.
void print_json_rules(const Spool& spool, std::size_t segment) {
  const char* separator = "";
  spool.visit_rules(segment, [&](std::uint32_t rule, std::span<const RuleItem> body) {
    write_output(
        fmt::format("{}\n        {{\"rule\":\"{}\",\"body\":[", separator, rule_name(rule)));
    const char* comma = "";
    for (const RuleItem& item : body) {
      write_output(comma + compact(json_of(item, spool.functions())));
      comma = ",";
    }
    write_output("]}");
    separator = ",";
  });
}

void print_json(const std::string& file, const Spool& spool, const SpoolInfo& info,
                const std::vector<std::size_t>& chosen) {
  write_output(fmt::format("{{\n  \"file\": {},\n  \"segments\": [", compact(file)));
  for (const std::size_t number : chosen) {
    const SegmentInfo& segment = info.segments[number];
    const std::string symbols =
        segment.symbols ? fmt::format("\"{}\"", name_of(*segment.symbols)) : "null";
    write_output(
        fmt::format("{}\n    {{\n      \"segment\": {},\n      \"stream\": {},\n"
                    "      \"first_event\": {},\n      \"events\": {},\n"
                    "      \"symbols\": {},\n      \"rules\": [",
                    number == chosen.front() ? "" : ",", number, fmt::underlying(segment.stream),
                    segment.first_event, segment.events, symbols));
    print_json_rules(spool, number);
    write_output("\n      ]\n    }");
  }
  write_output("\n  ]\n}\n");
}

int run_grammar(const GrammarArguments& arguments) {
  const Spool spool = open_spool(arguments.file);
  naming(arguments.file, [&] {
    const SpoolInfo info = spool.info();
    const std::vector<std::size_t> chosen = chosen_segments(arguments, info.segments);
    if (arguments.format == Format::json) {
      print_json(arguments.file, spool, info, chosen);
    } else {
      print_text(spool, chosen);
    }
  });
  return kSuccess;
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<GrammarArguments>();
  app.add_option("FILE", arguments->file, "The spool")->required();
  add_format(app, arguments->format);
  app.add_option_function<std::string>(
         "--segment",
         [arguments](const std::string& text) {
           arguments->segment = parse_count("--segment", text);
         },
         "Print the rules of segment N only, counted from 0")
      ->type_name("N");
  return [arguments] { return run_grammar(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Prints the rules of a spool that was packed with --form grammar, a rule a line. S is the "
    "start rule; the others are numbered in order of first use, left to right, depth first. B<n> "
    "is a block, E an exit, anything else the entry of a function, in quotes where its name could "
    "be mistaken for something else.",
    "A long trace has several segments, each with a grammar of its own: a line '# segment N' "
    "comes before each but the first."};
constexpr Example kExamples[] = {
    {"the rules", "pathspool grammar run.spool"},
    {"the start rule of the third segment", "pathspool grammar run.spool --segment 2 | head -n 1"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "Done."},
    {kFailure,
     "The file cannot be read, is no spool, is damaged or has no grammar, or the command "
     "line makes no sense."}};

}  // namespace

const Verb kGrammar = {"grammar",    "print the rules of a grammar as the papers do",
                       kDescription, kExamples,
                       kStatuses,    declare};

}  // namespace pathspool::cli
