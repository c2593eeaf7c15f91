// How far a long run has come, on the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "pathspool/spool.h"

namespace pathspool::cli {

// One line on standard error, rewritten in place and gone at the end. Shows nothing if standard
// error is no terminal, nor in the first second.
class ProgressLine {
 public:
  // `unit` is what is counted where the total is not known: "bytes" or "events".
  ProgressLine(std::string doing, std::string unit, bool wanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uint64_t done, std::uint64_t total);

  // For the library. Must not outlive this object.
  [[nodiscard]] Progress callback();

 private:
  using Clock = std::chrono::steady_clock;

  std::string doing_;
  std::string unit_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace pathspool::cli
