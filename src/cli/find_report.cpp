#include "cli/find_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command_error.h"
#include "cli/counted.h"
#include "cli/json_output.h"
#include "cli/message_line.h"
#include "cli/standard_output.h"

namespace pathspool::cli {

namespace {

std::string shown(const Position& position) {
  return fmt::format("{}:{}", fmt::underlying(position.stream), position.index);
}

std::string_view name_of(Wish wish) {
  switch (wish) {
    case Wish::exists:
      return "exists";
    case Wish::first:
      return "first";
    case Wish::count:
      return "count";
    case Wish::all:
      return "all";
  }
  return "unknown";
}

std::vector<int> schemes_of(const FindCost& cost) {
  std::vector<int> schemes;
  for (int i = 1; i < static_cast<int>(cost.segments_by_scheme.size()); ++i) {
    if (cost.segments_by_scheme[static_cast<std::size_t>(i)] > 0) schemes.push_back(i);
  }
  return schemes;
}

// The lines that answer one query.
std::vector<std::string> answer_lines(Wish wish, const QueryAnswer& answer) {
  switch (wish) {
    case Wish::exists:
      return {};
    case Wish::first:
      if (answer.first) return {shown(*answer.first)};
      return {};
    case Wish::count:
      return {fmt::to_string(answer.count)};
    case Wish::all: {
      std::vector<std::string> lines;
      lines.reserve(answer.positions.size());
      for (const Position& position : answer.positions) lines.push_back(shown(position));
      return lines;
    }
  }
  return {};
}

// Why segments were searched by their scheme.
std::string reason_of(const SchemeChoice& choice, const std::string& asked_for) {
  const bool is_grammar =
      choice.scheme == Scheme::grammar || choice.scheme == Scheme::indexed_grammar;
  const std::string coverage =
      fmt::format("{} of {}{} {}{} events of {}", choice.chunks_wanted,
                  counted(choice.chunks, "chunk"), is_grammar ? " of the start rule" : "",
                  is_grammar ? "derive" : "hold", choice.chunks_wanted == 1 ? "s" : "", asked_for);
  switch (choice.reason) {
    case SchemeReason::asked:
      return "it was asked for";
    case SchemeReason::no_index:
      return "there is no index";
    case SchemeReason::index_excludes_some:
      return "by the index " + coverage;
    case SchemeReason::index_excludes_nothing:
      return "the index rules nothing out: " + coverage;
  }
  return "unknown";
}

void explain(const FindReport& report) {
  const FindCost& cost = report.result.cost;
  for (const SchemeChoice& choice : cost.choices) {
    print_message(fmt::format("{}: scheme {} for {}: {}", report.file,
                              static_cast<int>(choice.scheme), counted(choice.segments, "segment"),
                              reason_of(choice, report.asked_for)));
  }
  std::vector<std::string> more;
  if (cost.passes > 1) more.push_back(fmt::format("{} passes", cost.passes));
  if (cost.chunks_kept > 0) {
    more.push_back(counted(cost.chunks_kept, "chunk") + " unpacked before");
  }
  print_message(fmt::format(
      "{}: {}looked into {} ({} skipped), {} ({} skipped), {} and {} one by one; read {}, {} to "
      "open the file{}{}",
      report.file, cost.choices.empty() ? "no scheme needed; " : "",
      counted(cost.segments, "segment"), cost.segments_skipped, counted(cost.chunks, "chunk"),
      cost.chunks_skipped, counted(cost.rules, "rule"), counted(cost.events_scanned, "event"),
      counted(cost.bytes_read, "byte"), cost.opening_bytes, more.empty() ? "" : "; ",
      fmt::join(more, ", ")));
}

Json json_of(const Position& position) {
  return {{"stream", position.stream}, {"index", position.index}};
}

// One query's answer, each position on a line of its own: there may be millions.
void write_answer_json(Wish wish, const AskedQuery& asked, const QueryAnswer& answer) {
  write_output(fmt::format("    {{\n      \"query\": {},\n      \"found\": {}",
                           compact(Json(asked.text)), answer.found));
  if (wish == Wish::first) {
    const Json first = answer.first ? json_of(*answer.first) : Json(nullptr);
    write_output(fmt::format(",\n      \"first\": {}", compact(first)));
  }
  if (wish == Wish::count) write_output(fmt::format(",\n      \"count\": {}", answer.count));
  if (wish == Wish::all) {
    write_output(",\n      \"positions\": [");
    std::string_view separator = "\n        ";
    for (const Position& position : answer.positions) {
      write_output(fmt::format("{}{}", separator, compact(json_of(position))));
      separator = ",\n        ";
    }
    write_output(answer.positions.empty() ? "]" : "\n      ]");
  }
  write_output("\n    }");
}

Json cost_json(const FindReport& report) {
  const FindCost& cost = report.result.cost;
  Json choices = Json::array();
  for (const SchemeChoice& choice : cost.choices) {
    choices.push_back({{"scheme", static_cast<int>(choice.scheme)},
                       {"segments", choice.segments},
                       {"chunks", choice.chunks},
                       {"chunks_wanted", choice.chunks_wanted},
                       {"reason", reason_of(choice, report.asked_for)}});
  }
  return {{"automatic", report.options.scheme == Scheme::automatic},
          {"schemes", schemes_of(cost)},
          {"choices", choices},
          {"passes", cost.passes},
          {"segments", cost.segments},
          {"segments_skipped", cost.segments_skipped},
          {"chunks", cost.chunks},
          {"chunks_skipped", cost.chunks_skipped},
          {"chunks_kept", cost.chunks_kept},
          {"rules", cost.rules},
          {"events_scanned", cost.events_scanned},
          {"bytes_read", cost.bytes_read},
          {"opening_bytes", cost.opening_bytes}};
}

}  // namespace

void write_find_text(const FindReport& report) {
  for (std::size_t i = 0; i < report.queries.size(); ++i) {
    std::vector<std::string> lines = answer_lines(report.options.wish, report.result.answers[i]);
    if (report.many && lines.empty() && report.options.wish != Wish::exists) lines = {"-"};
    const std::string end = report.many ? "\t" + report.queries[i].text + "\n" : "\n";
    for (const std::string& line : lines) write_output(line + end);
  }
  if (report.explain) explain(report);
}

void write_find_json(const FindReport& report) {
  const bool found = std::ranges::any_of(report.result.answers, &QueryAnswer::found);
  write_output(
      fmt::format("{{\n  \"file\": {},\n  \"wish\": \"{}\",\n  \"found\": {},\n  \"queries\": [",
                  compact(Json(report.file)), name_of(report.options.wish), found));
  std::string_view separator = "\n";
  for (std::size_t i = 0; i < report.queries.size(); ++i) {
    write_output(separator);
    separator = ",\n";
    write_answer_json(report.options.wish, report.queries[i], report.result.answers[i]);
  }
  write_output(report.queries.empty() ? "]" : "\n  ]");
  if (report.explain) {
    write_output(fmt::format(",\n  \"explain\": {}", compact(cost_json(report))));
  }
  write_output("\n}\n");
}

void throw_unsearched(const FindReport& report) {
  constexpr std::size_t kMostShown = 8;
  const std::vector<UnsearchedEvents>& lost = report.result.unsearched;
  std::vector<std::string> ranges;
  for (const UnsearchedEvents& part : lost) {
    if (ranges.size() == kMostShown) break;
    ranges.push_back(fmt::format("{} to {}", shown({part.stream, part.from}),
                                 shown({part.stream, part.to - 1})));
  }
  if (lost.size() > kMostShown) {
    ranges.push_back(fmt::format("{} more", counted(lost.size() - kMostShown, "part")));
  }
  throw FileError(report.file,
                  fmt::format("could not search {}: {}", fmt::join(ranges, ", "), lost[0].what),
                  lost[0].offset_bytes);
}

}  // namespace pathspool::cli
