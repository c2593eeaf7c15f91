// What finding a path costs by each scheme, in process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "matching_paths.h"
#include "pathspool/find.h"

namespace pathspool::bench {

// Nanoseconds of CPU time, all threads.
struct SchemeTimes {
  std::string name;    // "1" to "4", "auto, chunks", "auto, grammar"
  double cold_ns = 0;  // the first query on a file just opened
  double kept_ns = 0;  // another query has been asked of the function before
  FindCost cost;       // of a cold query
};

struct PathTimes {
  std::uint64_t count = 0;
  std::optional<std::uint64_t> first;
  std::vector<SchemeTimes> schemes;
};

struct MatchingFiles {
  std::filesystem::path chunks;
  std::filesystem::path grammar;
};

// Medians of at least `repeats` runs each. `before` is what was asked of the function before the
// query whose time is kept_ns. Throws Error if the schemes do not all give the same answers.
[[nodiscard]] PathTimes time_path(const MatchingFiles& files, const PathType& type,
                                  const std::vector<BlockId>& path,
                                  const std::vector<BlockId>& before, unsigned repeats);

// Decompressing chunks and nothing else, on one thread: those that hold events of the function, or
// all of them.
[[nodiscard]] double unpacking_ns(const std::filesystem::path& chunks,
                                  std::optional<FunctionId> only, unsigned repeats);

[[nodiscard]] double opening_ns(const std::filesystem::path& file, unsigned repeats);

// Scheme 1's scanner alone, on unpacked chunks: those that hold events of the function, or those
// that do not.
struct ScanTime {
  double ns_per_event = 0;
  std::uint64_t events = 0;
};
[[nodiscard]] std::optional<ScanTime> time_scan(const std::filesystem::path& chunks,
                                                const PathType& type, bool where_it_runs,
                                                unsigned repeats);

}  // namespace pathspool::bench
