#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "pathspool/compiler.h"
#include "pathspool/error.h"
#include "recorder/wrapper/clang_arguments.h"

namespace pathspool {
namespace {

using wrapper::ClangRequest;

constexpr std::string_view kOurPrefix = "--pathspool-";

void refuse_unless_one_of(std::string_view option, std::string_view value,
                          std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, value) != known.end()) return;
  std::string list;
  for (const std::string_view name : known)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  throw Error(fmt::format("{}{}={}: it is one of {}", kOurPrefix, option, value, list));
}

int version_number(std::string_view text) {
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(fmt::format("{}clang={}: it is a version of LLVM, such as 19", kOurPrefix, text));
  }
  return version;
}

void set_option(WrapperOptions& options, std::string_view argument) {
  const std::string_view text = argument.substr(kOurPrefix.size());
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Error(fmt::format("{} needs a value: {}=VALUE", argument, argument));
  }
  const std::string_view name = text.substr(0, equals);
  const std::string value(text.substr(equals + 1));
  if (name == "stage") {
    refuse_unless_one_of(name, value, {"source", "optimized"});
    options.stage = value;
  } else if (name == "mode") {
    refuse_unless_one_of(name, value, {"blocks", "bits", "memory"});
    if (value != "blocks") throw Error(fmt::format("this version has no mode '{}'", value));
    options.mode = value;
  } else if (name == "clang") {
    options.clang_version = version_number(value);
  } else if (name == "include") {
    options.include.push_back(value);
  } else if (name == "exclude") {
    options.exclude.push_back(value);
  } else {
    throw Error(fmt::format("no option '{}{}' (see 'pathspool cc --help')", kOurPrefix, name));
  }
}

std::string pass_options(const WrapperOptions& options, const ClangRequest& request) {
  std::string text = fmt::format("stage={}\n", options.stage);
  for (const std::string& pattern : options.include) text += fmt::format("include={}\n", pattern);
  for (const std::string& pattern : options.exclude) text += fmt::format("exclude={}\n", pattern);
  if (!request.marks_functions) text += "marked=1\n";
  if (!request.has_debug_lines) text += "strip-debug=1\n";
  text.pop_back();
  return text;
}

void add_compiler_options(std::vector<std::string>& arguments, const ClangRequest& request,
                          const Toolchain& toolchain) {
  const auto plugin =
      toolchain.recorder_folder / fmt::format("pathspool_pass_{}.so", toolchain.llvm_version);
  arguments.push_back("-fpass-plugin=" + plugin.string());
  arguments.push_back("-fno-lto");
  // Clang marks what may be instrumented: the only way that no_instrument_function reaches the
  // pass.
  if (!request.marks_functions) arguments.push_back("-finstrument-functions-after-inlining");
  if (!request.has_debug_lines) arguments.push_back("-gline-tables-only");
}

void add_linker_options(std::vector<std::string>& arguments, const ClangRequest& request,
                        const Toolchain& toolchain) {
  const std::filesystem::path& folder = toolchain.recorder_folder;
  // What is named on the command line before may have changed how the rest is read.
  arguments.insert(arguments.end(), {"-x", "none"});
  if (!request.makes_shared_library) arguments.push_back((folder / "pathspool_start.o").string());
  if (request.is_static) {
    arguments.push_back((folder / "libpathspool_rt.a").string());
    return;
  }
  arguments.push_back("-Wl,--push-state,--no-as-needed");
  arguments.push_back((folder / "libpathspool_rt.so").string());
  arguments.push_back("-Wl,--pop-state");
  arguments.push_back("-Wl,-rpath," + folder.string());
}

}  // namespace

WrapperOptions parse_wrapper_options(std::span<const std::string> arguments) {
  WrapperOptions options;
  bool ours_so_far = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.starts_with(kOurPrefix)) {
      set_option(options, argument);
    } else if (ours_so_far && (argument == "-F" || argument == "-N")) {
      if (++i == arguments.size()) throw Error(fmt::format("{} needs a pattern", argument));
      (argument == "-F" ? options.include : options.exclude).push_back(arguments[i]);
    } else {
      ours_so_far = false;
      options.compiler_arguments.push_back(argument);
    }
  }
  for (const auto* patterns : {&options.include, &options.exclude}) {
    for (const std::string& pattern : *patterns) {
      if (pattern.empty() || pattern.find('\n') != std::string::npos) {
        throw Error("a pattern is a line of text that is not empty");
      }
    }
  }
  return options;
}

CompilerCommand compiler_command(Language language, const WrapperOptions& options,
                                 const Toolchain& toolchain) {
  CompilerCommand command;
  command.program = language == Language::cxx ? toolchain.clangxx : toolchain.clang;
  command.arguments = options.compiler_arguments;
  const ClangRequest request = wrapper::read_clang_arguments(options.compiler_arguments);
  if (request.makes_no_code) return command;

  // Not every step uses everything.
  std::vector<std::string>& arguments = command.arguments;
  arguments.push_back("--start-no-unused-arguments");
  add_compiler_options(arguments, request, toolchain);
  if (request.links) add_linker_options(arguments, request, toolchain);
  arguments.push_back("--end-no-unused-arguments");
  command.pass_options = pass_options(options, request);
  return command;
}

}  // namespace pathspool
