#include "targets.h"

#include <array>

namespace pathspool::bench {
namespace {

struct Target {
  const char* what;
  const char* measurement;
  double limit;  // at most
};

constexpr std::array<Target, 13> kTargets = {{
    {"trie and SEQUITUR of blocks, CPU beside xz -6 of uint32", "blocks_cpu_to_xz_ratio", 1.0 / 3},
    {"trie and SEQUITUR of segments, CPU beside xz -6 of uint32", "segments_cpu_to_xz_ratio",
     1.0 / 6},
    {"memory per symbol without the digram table, blocks, bytes", "blocks_node_bytes_per_symbol",
     40},
    {"memory per symbol without the digram table, segments, bytes",
     "segments_node_bytes_per_symbol", 40},
    {"expansion, blocks, ns per event", "blocks_expand_ns", 10},
    {"expansion, segments, ns per event", "segments_expand_ns", 10},
    {"chunks with zstd, packing on one core, ns per event", "chunks_pack_ns", 15},
    {"chunks with zstd, unpacking, ns per event", "chunks_unpack_ns", 3},
    {"grammar of blocks beside xz -6 of uint16, size", "blocks_file_to_xz_ratio", 1},
    {"grammar of segments beside xz -6 of uint16, size", "segments_file_to_xz_ratio", 1},
    {"index of blocks beside 1% of the file or 8 KB", "blocks_index_to_allowance_ratio", 1},
    {"index of segments beside 1% of the file or 8 KB", "segments_index_to_allowance_ratio", 1},
    {"index of chunks beside 1% of the file or 8 KB", "chunks_index_to_allowance_ratio", 1},
}};

}  // namespace

std::vector<TargetReport> judge(const std::vector<TraceResult>& results) {
  std::vector<TargetReport> reports;
  for (const Target& target : kTargets) {
    TargetReport report;
    report.what = target.what;
    report.measurement = target.measurement;
    report.limit = target.limit;
    for (const TraceResult& result : results) {
      const auto value = result.get(target.measurement);
      if (!value) continue;
      if (report.traces++ == 0 || *value > report.worst.value)
        report.worst = {result.trace, *value};
      if (*value > target.limit) report.misses.push_back({result.trace, *value});
    }
    if (report.traces > 0) reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace pathspool::bench
