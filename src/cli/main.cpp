// pathspool VERB ...: finds the verb, parses its options, and is the one place where errors end.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/closest_name.h"
#include "cli/command_error.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "cli/message_line.h"
#include "cli/option_facts.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"

namespace pathspool::cli {

namespace {

using Arguments = std::vector<std::string>;

// A descriptor that was closed by our parent would be given to the next file we open, and messages
// would end up in it. The wrong direction makes every use fail, as it should.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) {
      const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
      if (open("/dev/null", mode) != descriptor) std::_Exit(kFailure);
    }
  }
}

std::string unknown_argument_message(const CLI::App& app, const std::string& argument) {
  if (!argument.starts_with('-')) return fmt::format("'{}' is one argument too many", argument);
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const OptionFacts& option : options_of(app)) {
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("no option '{}': the closest is '{}'", name, closest_name(name, names));
}

// CLI11 complains of what is missing before it complains of what it does not know; but a mistyped
// option is what made the other one missing.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const Arguments unknown = app.remaining();
  if (!unknown.empty()) return unknown_argument_message(app, unknown.front());
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return error.what();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 1) return fmt::format("{} is given more than once", option->get_name());
  }
  const std::string_view message = error.what();
  return fmt::format("{} needs a value", message.substr(0, message.find(':')));
}

int run_verb(const Verb& verb, Arguments arguments) {
  if (verb.run_with != nullptr && arguments != Arguments{"--help"}) {
    return verb.run_with(arguments);
  }
  CLI::App app;
  app.set_help_flag("-h,--help", "Print this help and exit");
  const Run run = verb.declare(app);
  try {
    std::ranges::reverse(arguments);  // the order in which CLI11 takes them
    app.parse(arguments);
    return run();
  } catch (const CLI::CallForHelp&) {
    write_output(help_for(verb, app));
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {} (see 'pathspool {} --help')", verb.name,
                                 usage_message(app, error), verb.name));
  } catch (const UsageError& error) {
    throw UsageError(
        fmt::format("{}: {} (see 'pathspool {} --help')", verb.name, error.what(), verb.name));
  }
}

const Verb& verb_named(const std::string& name) {
  if (const Verb* verb = find_verb(name)) return *verb;
  throw UsageError(unknown_verb_message(name));
}

void print_man_page(const Arguments& arguments) {
  if (arguments.size() == 1) return write_output(man_page_for_all());
  const Verb& verb = verb_named(arguments[1]);
  CLI::App app;
  app.set_help_flag("-h,--help", "Print this help and exit");
  verb.declare(app);
  write_output(man_page_for(verb, app));
}

int run(const Arguments& arguments) {
  if (arguments.empty()) {
    const std::string help = help_for_all();
    std::fwrite(help.data(), 1, help.size(), stderr);
    return kFailure;
  }
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help") {
    write_output(help_for_all());
  } else if (first == "--version") {
    write_output("pathspool " PATHSPOOL_VERSION "\n");
  } else if (first == "--man") {  // for the build, which installs the pages; not for people
    print_man_page(arguments);
  } else if (first.starts_with('-')) {
    throw UsageError(fmt::format("no option '{}' (see 'pathspool --help')", first));
  } else {
    return run_verb(verb_named(first), {arguments.begin() + 1, arguments.end()});
  }
  return kSuccess;
}

int run_and_report(const Arguments& arguments) {
  try {
    const int status = run(arguments);
    flush_output();
    return status;
  } catch (const FileError& error) {
    const auto offset = error.offset_bytes();
    const std::string file = error.file().empty() ? "''" : error.file();
    print_message(fmt::format("{}: {}{}", file, error.what(),
                              offset ? fmt::format(" (offset {})", *offset) : ""));
  } catch (const std::bad_alloc&) {
    std::fputs("pathspool: out of memory\n", stderr);  // which allocates nothing
  } catch (const std::exception& error) {
    print_message(error.what());
  } catch (...) {
    std::fputs("pathspool: an unknown error\n", stderr);
  }
  return kFailure;
}

}  // namespace

}  // namespace pathspool::cli

int main(int argc, char** argv) {
  // Whoever started us may ignore SIGPIPE; when nobody reads on, we end as quietly as cat does.
  std::signal(SIGPIPE, SIG_DFL);
  pathspool::cli::occupy_standard_descriptors();
  return pathspool::cli::run_and_report(
      pathspool::cli::Arguments(argv + (argc > 0 ? 1 : 0), argv + argc));
}
