// A word in shared memory that says whether this process still lives.
#pragma once

#include <atomic>
#include <cstdint>
#include <semaphore>
#include <thread>

namespace pathspool::collector {

// Holds the word as a robust futex: from the constructor on it is the number of a living thread,
// after the destructor it is 0, and when the process dies in between, however suddenly, the kernel
// sets FUTEX_OWNER_DIED in it.
//
// A thread of its own holds it. The kernel knows one list of robust futexes a thread, which glibc
// uses for its mutexes; this thread has no such mutexes, and gives the kernel a list of ours.
class LifeSign {
 public:
  explicit LifeSign(std::atomic<std::uint32_t>& word);
  ~LifeSign();
  LifeSign(const LifeSign&) = delete;
  LifeSign& operator=(const LifeSign&) = delete;

 private:
  void hold();

  std::atomic<std::uint32_t>& word_;
  std::binary_semaphore held_{0};
  std::binary_semaphore leave_{0};
  std::thread thread_;
};

}  // namespace pathspool::collector
