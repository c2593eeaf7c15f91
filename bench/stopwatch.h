// Times: CPU time of the process, which other people's work on the machine disturbs least, and wall
// time where several cores work.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace pathspool::bench {

// User and system time of all threads, in nanoseconds.
[[nodiscard]] inline double cpu_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

[[nodiscard]] inline double wall_nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now).count();
}

// What running `work` once costs by the given clock.
template <typename Clock, typename Work>
[[nodiscard]] double nanoseconds_of(Clock clock, Work work) {
  const double begin = clock();
  work();
  return clock() - begin;
}

[[nodiscard]] inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// `run` does its own setting up and returns the nanoseconds that count.
template <typename Run>
[[nodiscard]] double median_of(unsigned repeats, Run run) {
  std::vector<double> times;
  for (unsigned i = 0; i < repeats; ++i) times.push_back(run());
  return median(std::move(times));
}

}  // namespace pathspool::bench
