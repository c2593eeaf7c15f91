// pathspool find: did this run ever take that path, how often and where?
#include "pathspool/find.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/choice_option.h"
#include "cli/command_error.h"
#include "cli/find_report.h"
#include "cli/message_line.h"
#include "cli/number_arguments.h"
#include "cli/opened_spool.h"
#include "cli/progress_line.h"
#include "cli/stream_arguments.h"
#include "cli/text_input.h"
#include "cli/verb.h"

namespace pathspool::cli {

namespace {

constexpr std::uint64_t kLeastMemoryBytes = std::uint64_t{1} << 20;

struct FindArguments {
  std::string file;
  std::string query;
  std::string queries;  // the file of queries
  std::vector<Wish> wishes;
  StreamArguments part;
  FindOptions options;
  bool explain = false;
  Format format = Format::text;
};

void require_sense(const FindArguments& arguments) {
  require_order(arguments.part);
  if (arguments.query.empty() == arguments.queries.empty()) {
    throw UsageError(arguments.query.empty() ? "there is no QUERY and no --queries"
                                             : "there are both a QUERY and --queries");
  }
  if (arguments.wishes.size() > 1) {
    throw UsageError("only one of --first, --count, --all and --exists can be had");
  }
  if (arguments.options.memory_bytes < kLeastMemoryBytes) {
    throw UsageError(fmt::format("--memory must be {}M at least", kLeastMemoryBytes >> 20));
  }
}

std::string whole_text(const std::string& file) {
  TextInput input(file);
  const ByteSource source = input.source();
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = source(buffer)) text.append(buffer, count);
  return text;
}

struct Line {
  std::size_t number = 0;
  std::string text;
};

// Every line that is not blank and no comment.
std::vector<Line> query_lines(const std::string& file) {
  const std::string text = whole_text(file);
  std::vector<Line> lines;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    begin = end + 1;
    ++number;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] != '#') lines.push_back({number, line});
  }
  return lines;
}

// What the query means in this spool; what cannot be found at all is said at once.
AskedQuery asked(const Spool& spool, const std::string& file, const std::string& text,
                 const ParsedQuery& parsed) {
  Query query = resolve_query(spool.functions(), parsed);
  AskedQuery one{text, std::move(query)};
  if (one.query.paths.empty()) print_message(fmt::format("{}: {}", file, one.query.absent));
  return one;
}

struct WrittenQuery {
  Line line;
  ParsedQuery parsed;
};

std::vector<WrittenQuery> written_queries(const FindArguments& arguments) {
  std::vector<WrittenQuery> queries;
  if (arguments.queries.empty()) {
    try {
      // Not in one expression: what throws inside nested braces makes g++ 12 destroy twice what was
      // made before it.
      ParsedQuery parsed = parse_query(arguments.query);
      queries.push_back({{0, arguments.query}, std::move(parsed)});
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
    return queries;
  }
  for (Line& line : query_lines(arguments.queries)) {
    try {
      ParsedQuery parsed = parse_query(line.text);
      queries.push_back({std::move(line), std::move(parsed)});
    } catch (const Error& error) {
      const std::string name = arguments.queries == "-" ? "standard input" : arguments.queries;
      throw FileError(name, fmt::format("line {}: {}", line.number, error.what()));
    }
  }
  return queries;
}

// Why a function's paths were not found, where there is more to say than that.
void tell_what_never_ran(const Spool& spool, const FindReport& report) {
  const bool everywhere = !report.options.stream && !report.options.from && !report.options.to;
  for (std::size_t i = 0; i < report.queries.size(); ++i) {
    const QueryAnswer& answer = report.result.answers[i];
    if (answer.found || answer.ran || report.queries[i].query.paths.empty()) continue;
    const FunctionId function = report.queries[i].query.paths.front().function;
    print_message(fmt::format("{}: {} {}", report.file, spool.functions().readable_name(function),
                              everywhere ? "never ran" : "did not run there"));
  }
}

// Whose paths are looked for, in words.
std::string functions_asked_for(const Spool& spool, const std::vector<AskedQuery>& queries) {
  std::set<std::string> names;
  for (const AskedQuery& asked : queries) {
    for (const Path& path : asked.query.paths) {
      names.insert(spool.functions().readable_name(path.function));
    }
  }
  return names.size() == 1 ? *names.begin() : fmt::format("{} functions", names.size());
}

int run_find(const FindArguments& arguments) {
  require_sense(arguments);
  const std::vector<WrittenQuery> written = written_queries(arguments);
  const Spool spool = open_spool(arguments.file);
  require_streams(spool, arguments.file, arguments.part);
  FindReport report;
  report.file = arguments.file;
  for (const WrittenQuery& query : written) {
    report.queries.push_back(naming(arguments.file, [&] {
      return asked(spool, arguments.file, query.line.text, query.parsed);
    }));
  }
  report.asked_for = functions_asked_for(spool, report.queries);
  report.many = !arguments.queries.empty();
  report.explain = arguments.explain;
  report.options = arguments.options;
  report.options.keep_unpacked = false;  // there is no next search
  if (!arguments.wishes.empty()) report.options.wish = arguments.wishes.front();
  report.options.stream = arguments.part.stream;
  report.options.from = arguments.part.resolved_from();
  report.options.to = arguments.part.resolved_to();
  report.result = naming(arguments.file, [&] {
    ProgressLine progress("searching", "events");
    report.options.progress = progress.callback();
    std::vector<Query> queries;
    for (const AskedQuery& one : report.queries) queries.push_back(one.query);
    return find(spool, queries, report.options);
  });
  report.options.progress = {};
  if (!report.result.unsearched.empty()) throw_unsearched(report);
  tell_what_never_ran(spool, report);
  if (arguments.format == Format::json) {
    write_find_json(report);
  } else {
    write_find_text(report);
  }
  const bool found = std::ranges::any_of(report.result.answers, &QueryAnswer::found);
  return found ? kSuccess : kNotFound;
}

void add_wish(CLI::App& app, const std::string& name, Wish wish,
              const std::shared_ptr<FindArguments>& arguments, const std::string& description) {
  app.add_flag_callback(
      name, [arguments, wish] { arguments->wishes.push_back(wish); }, description);
}

void add_position(CLI::App& app, const std::string& name, std::optional<PositionArgument>& target,
                  const std::string& description) {
  app.add_option_function<std::string>(
         name, [&target, name](const std::string& text) { target = parse_position(name, text); },
         description)
      ->type_name("P");
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<FindArguments>();
  app.add_option("FILE", arguments->file, "The spool")->required();
  app.add_option("QUERY", arguments->query,
                 "A function, a colon and a blank, and blocks by id (B1) or by line (:120 or "
                 "parse.c:120)");
  add_wish(app, "--first", Wish::first, arguments,
           "Print where the first occurrence ends, as 'S:N': event N of stream S (the default)");
  add_wish(app, "--count", Wish::count, arguments, "Print how many occurrences there are");
  add_wish(app, "--all", Wish::all, arguments, "Print where each occurrence ends, one a line");
  add_wish(app, "--exists", Wish::exists, arguments, "Print nothing: the exit status says it");
  add_choice<Scheme>(app, "--scheme", arguments->options.scheme,
                     {{"auto", Scheme::automatic},
                      {"1", Scheme::chunks},
                      {"2", Scheme::grammar},
                      {"3", Scheme::indexed_chunks},
                      {"4", Scheme::indexed_grammar},
                      {"5", Scheme::columns}},
                     "How to search: 1 and 3 need form chunks, 2 and 4 form grammar; 3 and 4 use "
                     "the index. The answers are the same");
  app.add_option_function<std::string>(
         "--stream",
         [arguments](const std::string& text) {
           arguments->part.stream = parse_stream("--stream", text);
         },
         "Search stream S only")
      ->type_name("S");
  add_position(app, "--from", arguments->part.from,
               "Only occurrences that end at position P or after it; they may begin before. 'N' "
               "alone is in stream 0 or the one that --stream names");
  add_position(app, "--to", arguments->part.to, "Only occurrences that end before position P");
  app.add_option("--queries", arguments->queries,
                 "Answer the queries in FILE, one a line, in one pass; each answer is followed by "
                 "a tab and its query, and is '-' where there is no position")
      ->type_name("FILE");
  app.add_flag("--explain", arguments->explain,
               "Tell which scheme was used, why, and what was read: on standard error, or in the "
               "JSON");
  app.add_option_function<std::string>(
         "--memory",
         [arguments](const std::string& text) {
           arguments->options.memory_bytes = parse_size("--memory", text);
         },
         "How much memory to use, about")
      ->type_name("SIZE")
      ->default_str("1G");
  add_format(app, arguments->format);
  return [arguments] { return run_find(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Looks for a path: blocks that ran one after another in one call of a function. What the "
    "function calls in between, however long, does not interrupt the path, and blocks of other "
    "calls never count, not even of the same function. Occurrences may overlap.",
    "The function is named as cat prints it, by its demangled name, or as 'file.c:name', in double "
    "quotes if need be; the name ends at the last colon that a blank follows. A line stands for "
    "any block that belongs to it."};
constexpr Example kExamples[] = {
    {"where did parse go from block 1 to 2 to 3 first?",
     "pathspool find run.spool 'parse: B1 B2 B3'"},
    {"how often?", "pathspool find run.spool 'parse: B1 B2 B3' --count"},
    {"by source lines", "pathspool find run.spool 'parse: :120 :131' --all"},
    {"in a script", "if pathspool find run.spool 'main: B7' --exists; then echo 'B7 ran'; fi"},
    {"a thousand at once", "pathspool find run.spool --queries paths.txt --count"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "Found (with --queries: at least one)."},
    {kNotFound, "Not found: also if there is no such function, which is said."},
    {kFailure,
     "The query is malformed or its function's name ambiguous, the file cannot be read, is no "
     "spool, does not have the scheme, or is damaged where it had to be searched (the positions "
     "are named and nothing is printed), or the command line makes no sense."}};

}  // namespace

const Verb kFind = {"find",       "find where a path was taken, or how often",
                    kDescription, kExamples,
                    kStatuses,    declare};

}  // namespace pathspool::cli
