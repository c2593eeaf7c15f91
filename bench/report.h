// The results as people read them and as programs do.
#pragma once

#include <string>
#include <vector>

#include "measurements.h"

namespace pathspool::bench {

// Where and how the numbers were taken. No date: a diff of two results shows numbers only.
struct Conditions {
  std::string title;
  std::string machine;
  std::string compiler;
  std::string command;
};

// Markdown: tables by theme, then every target with whether it was reached.
[[nodiscard]] std::string markdown(const Conditions& conditions,
                                   const std::vector<TraceResult>& results);
// The one table of the README.
[[nodiscard]] std::string summary_table(const std::vector<TraceResult>& results);
// trace,measurement,value
[[nodiscard]] std::string csv(const std::vector<TraceResult>& results);
[[nodiscard]] std::string json(const Conditions& conditions,
                               const std::vector<TraceResult>& results);

}  // namespace pathspool::bench
