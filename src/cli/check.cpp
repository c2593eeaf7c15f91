// pathspool check: is the file whole, and if not, what can be read?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/choice_option.h"
#include "cli/command_error.h"
#include "cli/counted.h"
#include "cli/json_output.h"
#include "cli/opened_spool.h"
#include "cli/progress_line.h"
#include "cli/standard_output.h"
#include "cli/verb.h"
#include "cli/visible_text.h"
#include "pathspool/spool.h"

namespace pathspool::cli {

namespace {

struct CheckArguments {
  std::string file;
  Format format = Format::text;
};

std::string_view verdict(const CheckReport& report) {
  if (!report.problems.empty()) return "damaged";
  return report.truncation ? "truncated" : "intact";
}

void print_text(const std::string& file, const CheckReport& report) {
  const std::string name = visible(file);
  for (const Problem& problem : report.problems) {
    write_output(
        fmt::format("{}: {} (offset {})\n", name, visible(problem.what), problem.offset_bytes));
  }
  const std::string readable =
      fmt::format("{} in {}", counted(report.events, "event"), counted(report.segments, "segment"));
  if (report.intact()) {
    write_output(fmt::format("{}: intact: {}\n", name, readable));
  } else {
    const std::string lost =
        report.damaged_segments == 0
            ? ""
            : fmt::format(", {} cannot", counted(report.damaged_segments, "segment"));
    write_output(fmt::format("{}: {}: {} can be read{}\n", name, verdict(report), readable, lost));
  }
  if (report.unexpanded_segments > 0) {
    write_output(fmt::format("{}: {} too long to expand, verified by rules alone\n", name,
                             counted(report.unexpanded_segments, "segment")));
  }
}

void print_json(const std::string& file, const CheckReport& report) {
  Json problems = Json::array();
  for (const Problem& problem : report.problems) {
    problems.push_back({{"what", problem.what}, {"offset_bytes", problem.offset_bytes}});
  }
  write_json({{"file", file},
              {"state", verdict(report)},
              {"file_bytes", report.file_bytes},
              {"events", report.events},
              {"segments", report.segments},
              {"damaged_segments", report.damaged_segments},
              {"unexpanded_segments", report.unexpanded_segments},
              {"problems", problems},
              {"truncation", json_of(report.truncation)}});
}

int run_check(const CheckArguments& arguments) {
  require_a_file(arguments.file);
  const CheckReport report = naming(arguments.file, [&] {
    ProgressLine progress("checking", "events");
    return check(arguments.file, progress.callback());
  });
  if (report.truncation) warn_of_truncation(arguments.file, *report.truncation);
  if (arguments.format == Format::json) {
    print_json(arguments.file, report);
  } else {
    print_text(arguments.file, report);
  }
  return report.intact() ? kSuccess : kDamaged;
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  app.add_option("FILE", arguments->file, "The spool")->required();
  add_format(app, arguments->format);
  return [arguments] { return run_check(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Verifies every checksum of a spool and that its events, levels and indexes agree, and says "
    "what can be read of a file that is cut off or damaged."};
constexpr Example kExamples[] = {
    {"is the file whole?", "pathspool check run.spool"},
    {"the same for a script", "pathspool check run.spool --format json"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "The file is intact."},
    {kDamaged, "The file is truncated or damaged."},
    {kFailure, "The file cannot be read or is not a spool, or the command line makes no sense."}};

}  // namespace

const Verb kCheck = {"check",      "verify checksums and nesting, say what can be read",
                     kDescription, kExamples,
                     kStatuses,    declare};

}  // namespace pathspool::cli
