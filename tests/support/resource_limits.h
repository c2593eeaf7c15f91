// Bounds on what a hostile file may cost.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>

namespace pathspool::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// Lets the process have so much address space and no more, for as long as it lives. Does nothing
// under a sanitizer, which reserves terabytes itself.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(std::uint64_t bytes = std::uint64_t{2} << 30) {
    getrlimit(RLIMIT_AS, &before_);
    if (kSanitized) return;
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

 private:
  rlimit before_{};
};

// Processor time, so that a busy machine changes nothing.
class ProcessorTime {
 public:
  [[nodiscard]] double seconds() const { return now() - start_; }

 private:
  static double now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  }
  double start_ = now();
};

}  // namespace pathspool::testing
