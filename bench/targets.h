// The speeds and sizes that we promise ourselves, and whether results keep the promise.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "measurements.h"

namespace pathspool::bench {

struct TargetReport {
  struct Value {
    std::string trace;
    double value = 0;
  };
  std::string what;
  std::string measurement;
  double limit = 0;
  std::size_t traces = 0;  // that have the measurement
  Value worst;
  std::vector<Value> misses;
};

// Every target that at least one result has the measurement for.
[[nodiscard]] std::vector<TargetReport> judge(const std::vector<TraceResult>& results);

}  // namespace pathspool::bench
