// Which of the programs that record themselves still live.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "recorder/collector/arena.h"

namespace pathspool::collector {

// By the entries of the arena's table of processes. A process is watched by a descriptor of its
// own (pidfd), so that a new process with an old number is not mistaken for it. A second entry with
// the same number means that the process executed another program: the first one's threads are
// gone.
class ProcessWatch {
 public:
  explicit ProcessWatch(const Arena& arena);
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  // Looks for new entries.
  void look();
  // Asks the system who has died. Returns whether anyone has.
  bool ask();
  void everyone_is_dead();

  // Whoever has no entry is alive as far as anyone knows.
  [[nodiscard]] bool is_dead(std::uint32_t entry) const {
    return all_dead_ || (entry < watched_.size() && watched_[entry].state == State::dead);
  }
  // 0 if it is not known.
  [[nodiscard]] int parent_pid(std::uint32_t entry) const {
    return entry < entries() ? arena_.process(entry).parent_pid : 0;
  }
  [[nodiscard]] bool any_seen() const { return any_seen_; }
  // Makes the entries of dead processes free, but for those that `in_use` names.
  void release_dead(const std::vector<bool>& in_use);
  [[nodiscard]] std::uint32_t entries() const { return arena_.shape().processes; }

 private:
  enum class State : std::uint8_t { unknown, alive, dead };
  struct Watched {
    State state = State::unknown;
    int pid = 0;
    int descriptor = -1;
  };

  void watch(std::uint32_t entry);
  void bury(Watched& watched);

  const Arena& arena_;
  std::vector<Watched> watched_;
  bool any_seen_ = false;
  bool all_dead_ = false;
};

}  // namespace pathspool::collector
