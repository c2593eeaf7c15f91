// System calls without libc: they take no lock, leave errno alone, and are no cancellation points,
// so that they can be made from inside any code of the traced program.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace pathspool::runtime {

// As the kernel answers: a negative errno on failure.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
#if defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory", "cc");
  return x0;
#elif defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result = number;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory", "cc");
  return result;
#else
#error "the runtime knows aarch64 and x86_64"
#endif
}

template <class Pointer>
long as_argument(Pointer* pointer) {
  return static_cast<long>(reinterpret_cast<std::uintptr_t>(pointer));
}

// The futexes lie in memory that several processes share, so none of these is PRIVATE.
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen,
                       long timeout_nanoseconds) {
  const timespec timeout{0, timeout_nanoseconds};
  system_call(SYS_futex, as_argument(&word), FUTEX_WAIT, static_cast<long>(seen),
              as_argument(&timeout));
}

inline void futex_wake(std::atomic<std::uint32_t>& word) {
  system_call(SYS_futex, as_argument(&word), FUTEX_WAKE, 1);
}

inline void sleep_a_millisecond() {
  const timespec time{0, 1'000'000};
  system_call(SYS_nanosleep, as_argument(&time), 0);
}

inline std::int32_t process_id() { return static_cast<std::int32_t>(system_call(SYS_getpid)); }
inline std::int32_t thread_id() { return static_cast<std::int32_t>(system_call(SYS_gettid)); }

inline int open_file(const char* path, int flags) {
  return static_cast<int>(
      system_call(SYS_openat, AT_FDCWD, as_argument(path), static_cast<long>(flags), 0));
}
inline void close_file(int file) { system_call(SYS_close, file); }

// The kernel's signal set, which is shorter than libc's.
using SignalMask = std::uint64_t;

inline SignalMask block_signals() {
  const SignalMask all = ~SignalMask{0};
  SignalMask before = 0;
  system_call(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, as_argument(&all), as_argument(&before),
              sizeof before);
  return before;
}
inline void restore_signals(SignalMask before) {
  system_call(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, as_argument(&before), 0, sizeof before);
}

// What changes several parts of a thread's state at once keeps handlers away meanwhile.
class SignalsBlocked {
 public:
  SignalsBlocked() : before_(block_signals()) {}
  ~SignalsBlocked() { restore_signals(before_); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  SignalMask before_;
};

}  // namespace pathspool::runtime
