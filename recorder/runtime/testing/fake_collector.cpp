#include "fake_collector.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

extern "C" char** environ;

namespace pathspool::testing {
namespace {

std::uint64_t rounded(std::uint64_t bytes) {
  return (bytes + wire::kChunkBytes - 1) / wire::kChunkBytes * wire::kChunkBytes;
}

pid_t spawn_victim(const std::string& scenario, const std::vector<std::string>& variables,
                   const posix_spawn_file_actions_t* actions) {
  std::vector<std::string> kept = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name = std::string(*entry).substr(0, std::string(*entry).find('=') + 1);
    const bool is_replaced =
        std::any_of(variables.begin(), variables.end(),
                    [&](const auto& other) { return other.starts_with(name); });
    if (is_replaced || name.starts_with("PATHSPOOL_")) continue;
    kept.emplace_back(*entry);
  }
  std::vector<char*> environment;
  for (std::string& entry : kept) environment.push_back(entry.data());
  environment.push_back(nullptr);
  std::string program = PATHSPOOL_VICTIM;
  std::string argument = scenario;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, program.c_str(), actions, nullptr, arguments, environment.data());
  EXPECT_EQ(error, 0) << program;
  return process;
}

std::string read_all(int file) {
  std::string text(1 << 16, '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

}  // namespace

FakeCollector::FakeCollector(const ArenaSize& size) {
  wire::ArenaHeader plan{};
  plan.magic = wire::kArenaMagic;
  plan.version = wire::kArenaVersion;
  plan.header_bytes = sizeof(wire::ArenaHeader);
  plan.process_bytes = sizeof(wire::ProcessEntry);
  plan.module_bytes = sizeof(wire::ModuleEntry);
  plan.ring_header_bytes = sizeof(wire::RingHeader);
  plan.processes = size.processes;
  plan.modules = size.modules;
  plan.rings = size.rings;
  plan.chunks_per_ring = size.chunks_per_ring;
  plan.starts_paused = size.starts_paused ? 1 : 0;
  plan.processes_offset = 4096;
  plan.modules_offset = plan.processes_offset + rounded(size.processes * plan.process_bytes);
  plan.ring_headers_offset = plan.modules_offset + rounded(size.modules * plan.module_bytes);
  plan.rings_offset =
      rounded(plan.ring_headers_offset + std::uint64_t{size.rings} * plan.ring_header_bytes);
  plan.tables_offset =
      plan.rings_offset + std::uint64_t{size.rings} * size.chunks_per_ring * wire::kChunkBytes;
  plan.arena_bytes = plan.tables_offset + size.tables_bytes;

  file_ = static_cast<int>(syscall(SYS_memfd_create, "arena", MFD_CLOEXEC));
  EXPECT_EQ(ftruncate(file_, static_cast<off_t>(plan.arena_bytes)), 0);
  void* const mapped =
      mmap(nullptr, plan.arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  EXPECT_NE(mapped, MAP_FAILED);
  base_ = static_cast<unsigned char*>(mapped);
  std::memcpy(base_, &plan, sizeof plan);
  header().next_function = wire::kFirstModuleBase;
  header().next_fork_token = 1;
  header().collector = static_cast<std::uint32_t>(gettid());
  header().state = static_cast<std::uint32_t>(wire::ArenaState::recording);
}

FakeCollector::~FakeCollector() {
  munmap(base_, header().arena_bytes);
  close(file_);
}

wire::ProcessEntry& FakeCollector::process(std::uint32_t index) {
  return reinterpret_cast<wire::ProcessEntry*>(base_ + header().processes_offset)[index];
}
wire::ModuleEntry& FakeCollector::module(std::uint32_t index) {
  return reinterpret_cast<wire::ModuleEntry*>(base_ + header().modules_offset)[index];
}
wire::RingHeader& FakeCollector::ring(std::uint32_t index) {
  return reinterpret_cast<wire::RingHeader*>(base_ + header().ring_headers_offset)[index];
}
Word* FakeCollector::chunk(std::uint32_t ring_index, std::uint32_t count) {
  const std::uint64_t chunks = header().chunks_per_ring;
  return reinterpret_cast<Word*>(base_ + header().rings_offset +
                                 (ring_index * chunks + count % chunks) * wire::kChunkBytes);
}

std::string FakeCollector::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

Stream& FakeCollector::stream_of(const wire::RingHeader& ring) {
  auto [entry, is_new] = streams.try_emplace(ring.serial);
  Stream& stream = entry->second;
  if (is_new) {
    stream.kind = ring.kind;
    stream.process = ring.process;
    stream.level = ring.signal_level;
    stream.parent_serial = ring.parent_serial;
    stream.fork_token = ring.fork_token;
    stream.pid = ring.pid;
    stream.tid = ring.tid;
    stream.name = ring.name;
  }
  return stream;
}

void FakeCollector::read_tail(std::uint32_t index) {
  wire::RingHeader& header_of_ring = ring(index);
  Stream& stream = stream_of(header_of_ring);
  Word* const words = chunk(index, header_of_ring.published);
  std::uint32_t count = 0;
  while (count < wire::kChunkWords && words[count] != 0) ++count;
  stream.words.insert(stream.words.end(), words, words + count);
  std::memset(words, 0, wire::kChunkBytes);
}

void FakeCollector::drain() {
  for (std::uint32_t index = 0; index < header().rings; ++index) {
    wire::RingHeader& source = ring(index);
    const auto state = static_cast<wire::RingState>(source.state.load());
    if (state != wire::RingState::active && state != wire::RingState::ended) continue;
    Stream& stream = stream_of(source);
    const std::uint32_t published = source.published.load();
    for (std::uint32_t count = source.drained.load(); count != published; ++count) {
      Word* const words = chunk(index, count);
      const std::uint32_t length = source.words[count % header().chunks_per_ring];
      stream.words.insert(stream.words.end(), words, words + length);
      std::memset(words, 0, wire::kChunkBytes);
      source.drained.store(count + 1);
      if (source.writer_waits.exchange(0) != 0) syscall(SYS_futex, &source.drained, FUTEX_WAKE, 1);
    }
    if (state == wire::RingState::ended) {
      stream.ended = true;
      read_tail(index);
      source.state.store(static_cast<std::uint32_t>(wire::RingState::free));
    }
  }
}

int FakeCollector::drain_until_end_of(pid_t victim) {
  int status = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (waitpid(victim, &status, WNOHANG) == 0) {
    header().collector_sleeps.store(1);
    const std::uint32_t doorbell = header().doorbell.load();
    drain();
    const timespec timeout{0, 5'000'000};
    syscall(SYS_futex, &header().doorbell, FUTEX_WAIT, doorbell, &timeout);
    header().collector_sleeps.store(0);
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << "the victim hangs";
      kill(victim, SIGKILL);
    }
  }
  drain();
  return status;
}

void FakeCollector::read_the_dead() {
  drain();
  for (std::uint32_t index = 0; index < header().rings; ++index) {
    if (ring(index).state.load() == static_cast<std::uint32_t>(wire::RingState::active)) {
      read_tail(index);
    }
  }
}

pid_t FakeCollector::start(const std::string& scenario, const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  all.push_back(PATHSPOOL_ARENA_VARIABLE "=" + path());
  return spawn_victim(scenario, all, nullptr);
}

int FakeCollector::run(const std::string& scenario, const std::vector<std::string>& variables) {
  const int status = drain_until_end_of(start(scenario, variables));
  read_the_dead();
  return status;
}

const Stream& FakeCollector::only(wire::RingKind kind, std::uint32_t level) {
  const Stream* found = nullptr;
  int count = 0;
  for (const auto& [serial, stream] : streams) {
    if (stream.kind != kind || stream.level != level) continue;
    found = &stream;
    ++count;
  }
  EXPECT_EQ(count, 1);
  static const Stream nothing{};
  return found != nullptr ? *found : nothing;
}

Outcome run_alone(const std::string& scenario, const std::vector<std::string>& variables) {
  const int output = static_cast<int>(syscall(SYS_memfd_create, "output", 0));
  const int errors = static_cast<int>(syscall(SYS_memfd_create, "errors", 0));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  const pid_t victim = spawn_victim(scenario, variables, &actions);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  waitpid(victim, &status, 0);
  const Outcome outcome{status, read_all(errors), read_all(output)};
  close(output);
  close(errors);
  return outcome;
}

std::vector<Word> numbers(Word first, Word last) {
  std::vector<Word> words;
  for (Word value = first; value < last; ++value) words.push_back(number(value));
  return words;
}

std::vector<Word> joined(std::initializer_list<std::vector<Word>> parts) {
  std::vector<Word> all;
  for (const std::vector<Word>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Word> fork_record(Word token) {
  return {wire::control_word(wire::Control::fork), token};
}

std::vector<Word> end_of_frames() {
  return {wire::control_word(wire::Control::unwound), wire::kNoFrameToken};
}

}  // namespace pathspool::testing
