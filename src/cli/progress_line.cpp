#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace pathspool::cli {

namespace {

using namespace std::chrono_literals;
constexpr auto kFirstShown = 1s;
constexpr auto kBetween = 100ms;

// Back to the start of the line, and clear to its end.
constexpr std::string_view kClear = "\r\033[K";

void to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(std::string doing, std::string unit, bool wanted)
    : doing_(std::move(doing)),
      unit_(std::move(unit)),
      enabled_(wanted && isatty(STDERR_FILENO) != 0),
      next_(Clock::now() + kFirstShown) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fwrite(kClear.data(), 1, kClear.size(), stderr);
}

void ProgressLine::show(std::uint64_t done, std::uint64_t total) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kBetween;
  shown_ = true;
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    to_terminal(fmt::format("{}{}: {:.0f}%", kClear, doing_, 100 * share));
  } else {
    to_terminal(fmt::format("{}{}: {} {}", kClear, doing_, done, unit_));
  }
}

Progress ProgressLine::callback() {
  return [this](std::uint64_t done, std::uint64_t total) { show(done, total); };
}

}  // namespace pathspool::cli
