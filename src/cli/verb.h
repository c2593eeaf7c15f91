// A verb of the command line: what it does, how it is described and how it runs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace pathspool::cli {

struct Example {
  std::string_view purpose;
  std::string_view command;
};

struct ExitStatus {
  int status = 0;
  std::string_view meaning;
};

// Runs the verb with the options that were parsed and returns the exit status.
using Run = std::function<int()>;

// Help and man page are both made from this and from the options that `declare` adds.
struct Verb {
  std::string_view name;
  std::string_view summary;                       // one line, no full stop
  std::span<const std::string_view> description;  // paragraphs
  std::span<const Example> examples;
  std::span<const ExitStatus> statuses;
  Run (*declare)(CLI::App& app);
  // A verb that reads its arguments itself, all but a lone --help: what `declare` adds is only
  // described.
  int (*run_with)(const std::vector<std::string>& arguments) = nullptr;
};

// The exit statuses of the contract.
inline constexpr int kSuccess = 0;
inline constexpr int kDamaged = 1;
inline constexpr int kNotFound = 1;
inline constexpr int kFailure = 2;

extern const Verb kCompileC;
extern const Verb kCompileCxx;
extern const Verb kRecord;
extern const Verb kPack;
extern const Verb kCat;
extern const Verb kInfo;
extern const Verb kCheck;
extern const Verb kGrammar;
extern const Verb kFind;

}  // namespace pathspool::cli
