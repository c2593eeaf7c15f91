#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "pathspool/compiler.h"
#include "pathspool/error.h"

namespace pathspool {
namespace {

namespace fs = std::filesystem;

constexpr int kNewest = 19;
constexpr int kOldest = 14;

// Beside the program as it is built, or where it is installed.
fs::path find_recorder_folder(const fs::path& program) {
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate :
       {folder / "lib" / "pathspool", folder / ".." / "lib" / "pathspool",
        folder / ".." / PATHSPOOL_LIBRARY_DIR / "pathspool"}) {
    std::error_code none;
    if (fs::exists(candidate / "pathspool_start.o", none)) return fs::canonical(candidate);
  }
  throw Error(
      fmt::format("the recorder's files are missing: no lib/pathspool near {}", program.string()));
}

fs::path find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view left = path == nullptr ? "" : path;
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find(':'));
    left.remove_prefix(folder.size() == left.size() ? folder.size() : folder.size() + 1);
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

// As Debian installs it, or under its plain name in a folder of its own.
fs::path find_clang(const char* name, int version) {
  const fs::path found = find_in_path(fmt::format("{}-{}", name, version));
  if (!found.empty()) return found;
  const fs::path own = fmt::format("/usr/lib/llvm-{}/bin/{}", version, name);
  return access(own.c_str(), X_OK) == 0 ? own : fs::path();
}

}  // namespace

Toolchain find_toolchain(const fs::path& program, std::optional<int> version) {
  Toolchain toolchain;
  toolchain.recorder_folder = find_recorder_folder(program);
  std::string tried;
  for (int candidate = kNewest; candidate >= kOldest; --candidate) {
    if (version && *version != candidate) continue;
    const fs::path plugin =
        toolchain.recorder_folder / fmt::format("pathspool_pass_{}.so", candidate);
    std::error_code none;
    if (!fs::exists(plugin, none)) continue;
    toolchain.llvm_version = candidate;
    toolchain.clang = find_clang("clang", candidate);
    toolchain.clangxx = find_clang("clang++", candidate);
    if (!toolchain.clang.empty() && !toolchain.clangxx.empty()) return toolchain;
    tried += fmt::format(" clang-{}", candidate);
  }
  if (!tried.empty()) throw Error(fmt::format("no clang found: looked for{}", tried));
  if (version)
    throw Error(fmt::format(
        "there is no plugin for clang {} (built for 14 to 19 where llvm-N-dev is installed)",
        *version));
  throw Error(
      "there is no plugin: none of llvm-14-dev to llvm-19-dev was there when pathspool was built");
}

}  // namespace pathspool
