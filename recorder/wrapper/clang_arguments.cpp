#include "recorder/wrapper/clang_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pathspool::wrapper {
namespace {

using std::string_view;

// Options whose value is the next argument, which is therefore no input.
constexpr auto kWithValue = std::to_array<string_view>({"-o",
                                                        "-x",
                                                        "-I",
                                                        "-L",
                                                        "-D",
                                                        "-U",
                                                        "-l",
                                                        "-T",
                                                        "-u",
                                                        "-z",
                                                        "-e",
                                                        "-A",
                                                        "-B",
                                                        "-F",
                                                        "-MF",
                                                        "-MT",
                                                        "-MQ",
                                                        "-MJ",
                                                        "-include",
                                                        "-imacros",
                                                        "-iquote",
                                                        "-isystem",
                                                        "-idirafter",
                                                        "-iprefix",
                                                        "-isysroot",
                                                        "-iwithprefix",
                                                        "-iwithprefixbefore",
                                                        "-include-pch",
                                                        "-Xclang",
                                                        "-Xlinker",
                                                        "-Xassembler",
                                                        "-Xpreprocessor",
                                                        "-Xanalyzer",
                                                        "-mllvm",
                                                        "-target",
                                                        "-arch",
                                                        "--param",
                                                        "--sysroot",
                                                        "-framework",
                                                        "-rpath",
                                                        "-soname",
                                                        "-h",
                                                        "-dumpdir",
                                                        "-dumpbase",
                                                        "-serialize-diagnostics",
                                                        "--serialize-diagnostics",
                                                        "-gcc-toolchain",
                                                        "-working-directory",
                                                        "-ivfsoverlay",
                                                        "-cxx-isystem"});

constexpr auto kAsking = std::to_array<string_view>(
    {"-E", "-M", "-MM", "-fsyntax-only", "--version", "-###", "-help", "--help", "-V", "-cc1",
     "-cc1as", "--analyze", "-dumpversion", "-dumpmachine", "-dM", "--precompile", "-emit-ast"});

bool is_one_of(string_view argument, const auto& list) {
  return std::ranges::find(list, argument) != list.end();
}

bool asks_only(string_view argument) {
  return is_one_of(argument, kAsking) || argument.starts_with("-print-") ||
         argument.starts_with("--print-") || argument.starts_with("-emit-pch");
}

// -g, -g1, -gdwarf-5, -ggdb3, -gline-tables-only; not -g0, nor options that only begin so.
void note_debug(string_view argument, ClangRequest& request) {
  if (!argument.starts_with("-g") || argument.starts_with("-gcc-") ||
      argument.starts_with("-gno-") || argument == "-gpubnames" ||
      argument.starts_with("-gcolumn") || argument.starts_with("-gz")) {
    return;
  }
  request.has_debug_lines = argument != "-g0" && argument != "-ggdb0";
}

}  // namespace

ClangRequest read_clang_arguments(std::span<const std::string> arguments) {
  ClangRequest request;
  request.links = true;
  bool has_input = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const string_view argument = arguments[i];
    if (!argument.starts_with('-') || argument == "-") {
      has_input = true;
    } else if (asks_only(argument)) {
      request.makes_no_code = true;
    } else if (argument == "-c" || argument == "-S" || argument == "-r" || argument == "-Wl,-r" ||
               argument == "-Wl,--relocatable") {
      request.links = false;
    } else if (argument == "-shared" || argument == "--shared") {
      request.makes_shared_library = true;
    } else if (argument == "-static" || argument == "--static" || argument == "-static-pie") {
      request.is_static = true;
    } else if (argument.starts_with("-finstrument-functions")) {
      request.marks_functions = true;
    } else if (argument.starts_with("-l") && argument.size() > 2) {
      has_input = true;
    } else {
      note_debug(argument, request);
      if (argument == "-l") has_input = true;
      if (is_one_of(argument, kWithValue)) ++i;
    }
  }
  if (!has_input) request.makes_no_code = true;
  return request;
}

}  // namespace pathspool::wrapper
