// Compiling programs so that they can be recorded: clang with our pass, and our runtime.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pathspool {

enum class Language { c, cxx };

// A clang whose version one of our plugins was built for, and where what it needs is.
struct Toolchain {
  int llvm_version = 0;
  std::filesystem::path clang;            // the program for C
  std::filesystem::path clangxx;          // the program for C++
  std::filesystem::path recorder_folder;  // of the plugins and the runtime
};

// The newest one, or that of the version wanted, with the plugins beside `program` (this program's
// own file) as it was built or installed. Throws Error if there is none.
[[nodiscard]] Toolchain find_toolchain(const std::filesystem::path& program,
                                       std::optional<int> version = {});

// What to run instead of a compiler command.
struct CompilerCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // without the program's name
  std::string pass_options;  // for the environment, see kPassVariable; empty: nothing to tell
};

// The environment variable by which the pass is told what to do.
inline constexpr const char* kPassVariable = "PATHSPOOL_PASS";

// The wrapper's own options, taken out of a compiler's arguments: --pathspool-... anywhere, and -F
// and -N before the first argument that is not ours.
struct WrapperOptions {
  std::string stage = "source";
  std::string mode = "blocks";
  std::optional<int> clang_version;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> compiler_arguments;  // what is left
};

// Throws Error on an option of ours that makes no sense.
[[nodiscard]] WrapperOptions parse_wrapper_options(std::span<const std::string> arguments);

[[nodiscard]] CompilerCommand compiler_command(Language language, const WrapperOptions& options,
                                               const Toolchain& toolchain);

}  // namespace pathspool
