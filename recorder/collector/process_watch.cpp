#include "recorder/collector/process_watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace pathspool::collector {

ProcessWatch::ProcessWatch(const Arena& arena) : arena_(arena) {}

ProcessWatch::~ProcessWatch() {
  for (Watched& watched : watched_) bury(watched);
}

void ProcessWatch::bury(Watched& watched) {
  if (watched.descriptor >= 0) ::close(watched.descriptor);
  watched.descriptor = -1;
  watched.state = State::dead;
}

void ProcessWatch::look() {
  const std::uint32_t used =
      std::min(arena_.header().processes_used.load(std::memory_order_acquire), entries());
  if (used > watched_.size()) watched_.resize(used);
  for (std::uint32_t entry = 0; entry < watched_.size(); ++entry) {
    if (watched_[entry].state != State::unknown) continue;
    const std::uint32_t state = arena_.process(entry).state.load(std::memory_order_acquire);
    if (state == static_cast<std::uint32_t>(wire::ProcessState::attached)) watch(entry);
  }
}

void ProcessWatch::watch(std::uint32_t entry) {
  const int pid = arena_.process(entry).pid;
  for (Watched& other : watched_) {
    if (other.state == State::alive && other.pid == pid) bury(other);
  }
  any_seen_ = true;
  Watched& watched = watched_[entry];
  watched.state = State::alive;
  watched.pid = pid;
  if (pid <= 0) return;
  watched.descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (watched.descriptor < 0 && errno == ESRCH) bury(watched);
}

bool ProcessWatch::ask() {
  std::vector<pollfd> descriptors;
  std::vector<Watched*> owners;
  bool any = false;
  for (Watched& watched : watched_) {
    if (watched.state != State::alive) continue;
    if (watched.descriptor >= 0) {
      descriptors.push_back({watched.descriptor, POLLIN, 0});
      owners.push_back(&watched);
    } else if (watched.pid > 0 && ::kill(watched.pid, 0) != 0 && errno == ESRCH) {
      bury(watched);  // too many descriptors were open to have one for it
      any = true;
    }
  }
  if (::poll(descriptors.data(), descriptors.size(), 0) <= 0) return any;
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    if (descriptors[i].revents == 0) continue;
    bury(*owners[i]);
    any = true;
  }
  return any;
}

void ProcessWatch::everyone_is_dead() { all_dead_ = true; }

void ProcessWatch::release_dead(const std::vector<bool>& in_use) {
  for (std::uint32_t number = 0; number < watched_.size(); ++number) {
    if (watched_[number].state != State::dead || in_use[number]) continue;
    wire::ProcessEntry& entry = arena_.process(number);
    entry.pid = 0;
    entry.parent_pid = 0;
    entry.mode = 0;
    entry.has_mode = 0;
    std::memset(entry.name, 0, sizeof entry.name);
    entry.state.store(static_cast<std::uint32_t>(wire::ProcessState::free),
                      std::memory_order_release);
    watched_[number] = {};
  }
}

}  // namespace pathspool::collector
