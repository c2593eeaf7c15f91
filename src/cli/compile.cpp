// pathspool cc, pathspool c++: clang that instruments.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_error.h"
#include "cli/verb.h"
#include "pathspool/compiler.h"
#include "pathspool/error.h"

namespace pathspool::cli {

namespace {

[[noreturn]] void become(const CompilerCommand& command) {
  if (!command.pass_options.empty()) {
    setenv(kPassVariable, command.pass_options.c_str(), 1);
  }
  std::vector<std::string> words = {command.program.string()};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(command.program.c_str(), pointers.data());
  throw Error(fmt::format("{}: {}", command.program.string(), std::strerror(errno)));
}

int compile(Language language, const std::vector<std::string>& arguments) {
  const WrapperOptions options = parse_wrapper_options(arguments);
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  become(compiler_command(language, options, find_toolchain(self, options.clang_version)));
}

int compile_c(const std::vector<std::string>& arguments) { return compile(Language::c, arguments); }
int compile_cxx(const std::vector<std::string>& arguments) {
  return compile(Language::cxx, arguments);
}

// For the help only: everything else goes to clang as it is.
Run declare(CLI::App& app) {
  const auto sink = std::make_shared<std::string>();
  app.add_option(
         "--pathspool-stage", *sink,
         "Where the program is instrumented: source, before inlining, so that every source "
         "function and its paths are there, or optimized, at the end of the pipeline, which "
         "is cheapest (default: source)")
      ->type_name("STAGE");
  app.add_option("--pathspool-mode", *sink, "What the program records (default: blocks)")
      ->type_name("MODE");
  app.add_option(
         "--pathspool-include", *sink,
         "Instrument only functions whose name, mangled or not, matches the pattern; may be "
         "repeated. As the first argument also -F PATTERN")
      ->type_name("PATTERN");
  app.add_option("--pathspool-exclude", *sink,
                 "Leave out functions that match the pattern; may be repeated. As the first "
                 "argument also -N PATTERN")
      ->type_name("PATTERN");
  app.add_option("--pathspool-clang", *sink,
                 "The version of clang to use (default: the newest that a plugin was built for)")
      ->type_name("N");
  app.add_option("ARGUMENTS", *sink, "Clang's own arguments");
  return [] { return kSuccess; };
}

constexpr std::string_view kDescription[] = {
    "Runs clang so that the program it makes can be recorded with 'pathspool record'. It takes "
    "what clang takes; the options below, which are written with '=', are its own. Functions "
    "declared with __attribute__((no_instrument_function)) are left out. Link-time optimisation is "
    "switched off. A command that makes no code (-E, --version and the like) is clang's untouched.",
    "The program runs without pathspool too, a little slower, and records nothing then unless "
    "PATHSPOOL_OPTIONS asks for it (see 'pathspool record --help')."};
constexpr Example kExamplesC[] = {
    {"compile and link", "pathspool cc -O2 -o prog prog.c"},
    {"a whole package", "CC='pathspool cc' CXX='pathspool c++' ./configure && make"},
    {"instrument at the end of the pipeline",
     "pathspool cc -O2 --pathspool-stage=optimized -c prog.c"},
};
constexpr Example kExamplesCxx[] = {
    {"compile and link", "pathspool c++ -O2 -o prog prog.cpp"},
    {"with CMake", "CC='pathspool cc' CXX='pathspool c++' cmake -B build"},
    {"only some functions", "pathspool c++ -F 'parser::*' -c parser.cpp"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "Clang did what was asked."},
    {1, "Clang's own status, this or another, if it did not."},
    {kFailure,
     "Clang, the plugin or the runtime was not found, or an option of ours makes no sense."}};

}  // namespace

const Verb kCompileC = {"cc",         "compile C so that it can be recorded: clang with our pass",
                        kDescription, kExamplesC,
                        kStatuses,    declare,
                        compile_c};
const Verb kCompileCxx = {"c++",        "compile C++ so that it can be recorded",
                          kDescription, kExamplesCxx,
                          kStatuses,    declare,
                          compile_cxx};

}  // namespace pathspool::cli
