// pathspool record: runs a program and leaves a spool of what it did.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/choice_option.h"
#include "cli/closest_name.h"
#include "cli/command_error.h"
#include "cli/help.h"
#include "cli/message_line.h"
#include "cli/number_arguments.h"
#include "cli/option_facts.h"
#include "cli/standard_output.h"
#include "cli/verb.h"
#include "pathspool/recording.h"

namespace pathspool::cli {

namespace {

using Words = std::vector<std::string>;

struct RecordArguments {
  std::string output;
  std::string argv0;
  RecordOptions options;
  const CLI::Option* argv0_option = nullptr;
};

constexpr std::pair<std::string_view, wire::Mode> kModes[] = {
    {"blocks", wire::Mode::blocks}, {"bits", wire::Mode::bits},     {"stores", wire::Mode::memory},
    {"loads", wire::Mode::memory},  {"misses", wire::Mode::memory},
};

wire::Mode mode_named(const std::string& name) {
  for (const auto& [mode_name, mode] : kModes) {
    if (mode_name == name) return mode;
  }
  throw UsageError(
      fmt::format("--mode: '{}' is none of blocks, bits, stores, loads, misses", name));
}

void add_patterns(CLI::App& app, const std::string& name, Words& patterns,
                  const std::string& description) {
  app.add_option_function<Words>(
         name,
         [&patterns](const Words& given) {
           patterns.insert(patterns.end(), given.begin(), given.end());
         },
         description)
      ->type_name("PATTERN")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_options(CLI::App& app, const std::shared_ptr<RecordArguments>& arguments) {
  RecordOptions& options = arguments->options;
  app.add_option("-o,--output", arguments->output,
                 "The spool to write; an older one becomes FILE.old (default: PROG.spool)")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--mode", [&options](const std::string& text) { options.mode = mode_named(text); },
         "What to record (default: what the program was built for)")
      ->type_name("blocks|bits|stores|loads|misses");
  add_patterns(app, "-F,--include", options.include,
               "Record only functions that match the pattern; may be repeated");
  add_patterns(app, "-N,--exclude", options.exclude,
               "Leave out functions that match the pattern; may be repeated");
  add_choice<Form>(app, "--form", options.pack.form,
                   {{"chunks", Form::chunks}, {"grammar", Form::grammar}},
                   "How to store the events");
  add_choice<Codec>(
      app, "--codec", options.pack.codec,
      {{"gzip", Codec::gzip}, {"bzip2", Codec::bzip2}, {"zstd", Codec::zstd}, {"xz", Codec::xz}},
      "What compresses the chunks of --form chunks");
  app.add_option_function<std::string>(
         "--memory",
         [&options](const std::string& text) {
           options.pack.memory_bytes = parse_size("--memory", text);
         },
         "How much memory to use for packing")
      ->type_name("SIZE")
      ->default_str("1G");
  app.add_flag("--start-paused", options.starts_paused,
               "Record nothing before the program calls pathspool_start()");
}

// Declared apart, so that help does not show it: comparisons of two runs need the same name.
void declare_hidden(CLI::App& app, RecordArguments& arguments) {
  arguments.argv0_option = app.add_option("--argv0", arguments.argv0);
}

// For the help only.
Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<RecordArguments>();
  declare_options(app, arguments);
  app.add_option("PROG", arguments->argv0, "The program, built with 'pathspool cc' or 'c++'")
      ->required();
  app.add_option("ARGS", arguments->argv0, "Its arguments");
  return [arguments] { return kSuccess; };
}

// Where the program's own words begin: after `--`, or at the first word that is neither an option
// of ours nor the value of one. None of them is ours to parse.
std::size_t command_start(const CLI::App& app, const Words& words) {
  std::size_t at = 0;
  while (at < words.size() && words[at].size() > 1 && words[at].starts_with('-')) {
    const std::string& word = words[at++];
    if (word == "--") break;
    const bool is_long = word.starts_with("--");
    const bool has_value = is_long ? word.find('=') != std::string::npos : word.size() > 2;
    const CLI::Option* const option = app.get_option_no_throw(is_long ? word : word.substr(0, 2));
    if (!has_value && option != nullptr && option->get_type_size() != 0) ++at;
  }
  return std::min(at, words.size());
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const Words unknown = app.remaining();
  if (!unknown.empty()) {
    const std::string name = unknown.front().substr(0, unknown.front().find('='));
    Words names;
    for (const OptionFacts& option : options_of(app)) {
      names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return fmt::format("no option '{}': the closest is '{}'", name, closest_name(name, names));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return error.what();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 1) return fmt::format("{} is given more than once", option->get_name());
  }
  const std::string_view message = error.what();
  return fmt::format("{} needs a value", message.substr(0, message.find(':')));
}

void parse(CLI::App& app, Words words, RecordArguments& arguments) {
  const std::size_t start = command_start(app, words);
  arguments.options.command.assign(words.begin() + static_cast<std::ptrdiff_t>(start), words.end());
  words.resize(start);
  if (!words.empty() && words.back() == "--") words.pop_back();
  try {
    std::ranges::reverse(words);  // the order in which CLI11 takes them
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    throw;
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(app, error));
  }
  if (arguments.options.command.empty()) throw UsageError("PROG is required");
  if (arguments.options.pack.memory_bytes < kLeastMemoryBytes) {
    throw UsageError(fmt::format("--memory must be {}M at least", kLeastMemoryBytes >> 20));
  }
}

std::string default_output(const std::string& program) {
  return program.substr(program.rfind('/') + 1) + ".spool";
}

// Ends as the program did: whoever started us sees the program's status.
int end_as(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  const int number = WTERMSIG(wait_status);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);  // the core that interests people is the program's
  flush_output();
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(number);
  constexpr int kAsShellsSay = 128;
  return kAsShellsSay + number;
}

int run(RecordArguments& arguments) {
  RecordOptions& options = arguments.options;
  const std::string& program = options.command.front();
  if (arguments.argv0_option->count() > 0) options.argv0 = arguments.argv0;
  const std::string output = arguments.output.empty() ? default_output(program) : arguments.output;
  options.output = output;
  options.warn = [&output](std::string_view text) {
    print_message(fmt::format("{}: {}", output, text));
  };
  try {
    const RecordResult result = record(options);
    if (!result.recorded) {
      print_message(fmt::format(
          "{}: nothing was recorded: it {}", program,
          result.instrumented ? "ended before it began" : "was not built with 'pathspool cc'"));
    }
    return end_as(result.wait_status);
  } catch (const ProgramError& error) {
    print_message(fmt::format("{}: {}", program, error.what()));
    return error.status();
  } catch (const OutputError& error) {
    print_message(fmt::format("{}: {}", output, error.what()));
    return ProgramError::kFailed;
  }
}

int run_record(const Words& words);

constexpr std::string_view kDescription[] = {
    "Runs PROG, which was built with 'pathspool cc' or 'pathspool c++', and leaves a spool of "
    "every "
    "path it took. Its threads, and the processes that it starts, are streams of the same "
    "recording. Input, output and exit status are the program's own. Nothing is dropped: "
    "a program that is faster than the recorder waits for it.",
    "PROG is the first word that is not an option; '--' before it is never wrong. It is looked for "
    "along PATH. A PATTERN is a shell pattern for a function's name, mangled or not, "
    "or for file.c:name. A SIZE is a number of bytes, or of units of 1024, 1024^2 or 1024^3 bytes "
    "with K, M or G after it.",
    "If PROG has ended and what it started goes on, SIGINT or SIGTERM ends the recording; what "
    "runs then goes on unrecorded.",
    "A program that is started by hand with PATHSPOOL_OPTIONS='output=FILE' in its environment "
    "records itself: it starts again under this verb. Further words, separated by blanks: "
    "form=FORM, include=PATTERN, exclude=PATTERN, start=off, pathspool=PATH of this program. "
    "<pathspool/record.h> lets a program start, stop and mark its recording."};
constexpr Example kExamples[] = {
    {"run a program, and leave prog.spool here", "pathspool record -- ./prog input.txt"},
    {"another name, smaller and slower to write",
     "pathspool record -o run.spool --form grammar -- ./prog input.txt"},
    {"only the functions of one file", "pathspool record -F 'parser.c:*' -- ./prog input.txt"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "PROG's own status, this or another; if a signal ended it, the same signal."},
    {ProgramError::kFailed, "The recording failed, or the command line makes no sense."},
    {ProgramError::kNotExecutable, "PROG cannot be executed."},
    {ProgramError::kNotFound, "PROG was not found."}};

}  // namespace

const Verb kRecord = {"record",     "run a program and record every path it takes",
                      kDescription, kExamples,
                      kStatuses,    declare,
                      run_record};

namespace {

int run_record(const Words& words) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App app;
  app.set_help_flag("-h,--help", "Print this help and exit");
  declare_options(app, arguments);
  declare_hidden(app, *arguments);
  try {
    parse(app, words, *arguments);
    return run(*arguments);
  } catch (const CLI::CallForHelp&) {
    CLI::App described;
    described.set_help_flag("-h,--help", "Print this help and exit");
    declare(described);
    write_output(help_for(kRecord, described));
    return kSuccess;
  } catch (const UsageError& error) {
    print_message(fmt::format("record: {} (see 'pathspool record --help')", error.what()));
  } catch (const std::exception& error) {
    print_message(fmt::format("record: {}", error.what()));
  }
  return ProgramError::kFailed;
}

}  // namespace

}  // namespace pathspool::cli
