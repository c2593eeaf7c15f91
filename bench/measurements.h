// What is measured of one trace: named numbers, in the order in which they were taken.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces.h"

namespace pathspool::bench {

// A name ends with its unit: _ns is per event, _bytes, _us, _ratio, or none for a count.
struct Measurement {
  std::string name;
  double value = 0;
};

struct TraceResult {
  std::string trace;
  std::vector<Measurement> measurements;

  void set(std::string name, double value) { measurements.push_back({std::move(name), value}); }
  [[nodiscard]] std::optional<double> get(std::string_view name) const {
    const auto at = std::ranges::find(measurements, name, &Measurement::name);
    if (at == measurements.end()) return std::nullopt;
    return at->value;
  }
};

struct MeasureOptions {
  unsigned repeats = 3;
  bool full = false;  // also what takes minutes: zstd -19
};

// Everything of one trace in one go, so that ratios are of times taken under the same conditions.
// Throws Error also if what comes back from a spool differs from the trace.
[[nodiscard]] TraceResult measure(const Trace& trace, const MeasureOptions& options);

}  // namespace pathspool::bench
