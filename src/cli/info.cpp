// pathspool info: what a spool holds.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/choice_option.h"
#include "cli/command_error.h"
#include "cli/info_report.h"
#include "cli/opened_spool.h"
#include "cli/standard_output.h"
#include "cli/verb.h"

namespace pathspool::cli {

namespace {

struct InfoArguments {
  std::string file;
  Format format = Format::text;
  bool functions = false;
};

int run_info(const InfoArguments& arguments) {
  const std::string& file = arguments.file;
  const Spool spool = open_spool(file);
  naming(file, [&] {
    if (arguments.functions) {
      if (arguments.format == Format::json) {
        write_functions_json(file, spool);
      } else {
        write_functions_text(spool);
      }
    } else if (arguments.format == Format::json) {
      write_json(info_json(file, spool));
    } else {
      write_output(info_text(file, spool));
    }
  });
  return kSuccess;
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<InfoArguments>();
  app.add_option("FILE", arguments->file, "The spool")->required();
  add_format(app, arguments->format);
  app.add_flag("--functions", arguments->functions,
               "List the functions instead: how many blocks each has, in how many segments it ran, "
               "its name and where its source is; as JSON also its control-flow graph");
  return [arguments] { return run_info(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Tells how many events, streams and functions a spool holds, how it is stored, where its bytes "
    "go, and whether it is complete.",
    "The ratio is 4 x events / bytes of the file: how much smaller the file is than the events as "
    "32-bit numbers."};
constexpr Example kExamples[] = {
    {"what is in it", "pathspool info run.spool"},
    {"the number of events, in a script",
     "pathspool info run.spool | awk '/^events:/ { print $2 }'"},
    {"all of it for a program", "pathspool info run.spool --format json"},
    {"its functions", "pathspool info run.spool --functions"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "Done."},
    {kFailure,
     "The file cannot be read, is no spool or is damaged, or the command line makes no "
     "sense."}};

}  // namespace

const Verb kInfo = {"info",       "tell what a spool holds and how it is stored",
                    kDescription, kExamples,
                    kStatuses,    declare};

}  // namespace pathspool::cli
