// record(): the parts of the collector put together.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include "pathspool/recording.h"
#include "recorder/collector/arena.h"
#include "recorder/collector/drain.h"
#include "recorder/collector/futex.h"
#include "recorder/collector/launch.h"
#include "recorder/collector/program_file.h"
#include "recorder/collector/wrong_mode.h"

namespace pathspool {

std::string_view name_of(wire::Mode mode) {
  switch (mode) {
    case wire::Mode::blocks:
      return "blocks";
    case wire::Mode::bits:
      return "bits";
    case wire::Mode::memory:
      return "memory";
  }
  return "unknown";
}

namespace collector {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutputFailed = "cannot write: ";

Metadata metadata_of(const RecordOptions& options, const ProgramFacts& facts) {
  Metadata metadata;
  metadata.program = options.command.front();
  metadata.arguments.assign(options.command.begin() + 1, options.command.end());
  metadata.build_id = facts.build_id;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) metadata.host = host.data();
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  std::array<char, 32> text{};
  if (::gmtime_r(&now, &time) != nullptr &&
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &time) > 0) {
    metadata.time = text.data();
  }
  metadata.tool_version = PATHSPOOL_VERSION;
  metadata.mode = name_of(wire::Mode::blocks);
  return metadata;
}

void require_mode(const RecordOptions& options, const ProgramFacts& facts) {
  if (facts.mode && options.mode && *facts.mode != static_cast<std::uint32_t>(*options.mode)) {
    throw WrongMode(*facts.mode);
  }
  const auto mode =
      facts.mode ? static_cast<wire::Mode>(*facts.mode) : options.mode.value_or(wire::Mode::blocks);
  if (mode != wire::Mode::blocks) {
    throw ProgramError(ProgramError::kFailed,
                       fmt::format("this version cannot record mode {}", name_of(mode)));
  }
}

// The name of the spool, with what was there before out of the way until there is something new.
class OutputName {
 public:
  explicit OutputName(fs::path path) : path_(std::move(path)), old_(path_), oldest_(path_) {
    old_ += ".old";
    oldest_ += ".old~";
    std::error_code none;
    if (!fs::is_regular_file(fs::symlink_status(path_, none))) return;
    oldest_moved_ =
        ::access(path_.c_str(), W_OK) == 0 && ::rename(old_.c_str(), oldest_.c_str()) == 0;
    if (::access(path_.c_str(), W_OK) != 0 || ::rename(path_.c_str(), old_.c_str()) != 0) {
      throw OutputError(std::string(kOutputFailed) + std::generic_category().message(errno));
    }
    moved_ = true;
  }
  // There is a newer FILE.old now.
  ~OutputName() {
    if (oldest_moved_) ::unlink(oldest_.c_str());
  }
  OutputName(const OutputName&) = delete;
  OutputName& operator=(const OutputName&) = delete;
  // Nothing was recorded: all is as before.
  void restore() {
    // A device, or a link to somewhere, is not ours to remove.
    std::error_code none;
    if (fs::is_regular_file(fs::symlink_status(path_, none))) ::unlink(path_.c_str());
    if (moved_) ::rename(old_.c_str(), path_.c_str());
    if (oldest_moved_ && ::rename(oldest_.c_str(), old_.c_str()) == 0) oldest_moved_ = false;
  }
  void note_identity() { exists_ = identify(identity_); }
  // Someone removed the file, or the folder it is in: we write to nowhere.
  [[nodiscard]] bool is_gone() const {
    Identity now;
    return exists_ &&
           (!identify(now) || now.device != identity_.device || now.file != identity_.file);
  }

 private:
  struct Identity {
    dev_t device = 0;
    ino_t file = 0;
  };
  bool identify(Identity& identity) const {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) return false;
    identity = {status.st_dev, status.st_ino};
    return true;
  }

  fs::path path_;
  fs::path old_;
  fs::path oldest_;  // what FILE.old was before
  bool moved_ = false;
  bool oldest_moved_ = false;
  bool exists_ = false;
  Identity identity_;
};

// The thread that empties the rings.
class Collector {
 public:
  Collector(Arena& arena, const RecordOptions& options, const OutputName& name, SpoolWriter& writer)
      : arena_(arena),
        options_(options),
        name_(name),
        writer_(writer),
        drain_(arena, writer, drain_options(options)),
        thread_([this] { run(); }) {}

  ~Collector() {
    if (thread_.joinable()) end(false);
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Takes what is left, and finishes the spool.
  void end(bool all_dead) {
    if (!all_dead) arena_.stop();
    all_dead_ = all_dead;
    ending_.store(true);
    arena_.header().doorbell.fetch_add(1);
    futex_wake_all(arena_.header().doorbell);
    thread_.join();
  }

  // After end().
  [[nodiscard]] bool any_program() const { return drain_.any_program(); }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::optional<WrongMode>& wrong_mode() const { return wrong_mode_; }

 private:
  static DrainOptions drain_options(const RecordOptions& options) {
    DrainOptions drain;
    drain.filter = FunctionFilter(options.include, options.exclude);
    if (options.pack.form == Form::grammar) {
      // Each cut costs size: a grammar starts anew.
      constexpr std::uint64_t kGrammarEvents = std::uint64_t{32} << 20;
      drain.cuts = {kGrammarEvents, {}};
    }
    return drain;
  }

  void run() {
    try {
      collect();
      drain_.finish(all_dead_);
      writer_.finish();
      if (name_.is_gone()) throw Error("the file is gone");
      complete_ = true;
    } catch (const WrongMode& error) {
      arena_.stop();
      wrong_mode_ = error;
    } catch (const std::exception& error) {
      arena_.stop();
      give_up(error.what());
    }
  }

  void collect() {
    constexpr std::chrono::milliseconds kBetweenLooks{500};
    auto next_look = std::chrono::steady_clock::now();
    while (!ending_.load()) {
      drain_.pass_or_sleep();
      const auto now = std::chrono::steady_clock::now();
      if (now < next_look) continue;
      next_look = now + kBetweenLooks;
      if (name_.is_gone()) throw Error("the file is gone");
    }
  }

  void give_up(std::string_view why) {
    if (why.starts_with(kOutputFailed)) why.remove_prefix(kOutputFailed.size());
    const bool runs = !ending_.load();
    if (options_.warn) {
      options_.warn(fmt::format("recording stopped: {}{}", why,
                                runs ? "; the program goes on unrecorded" : ""));
    }
    try {
      drain_.note_stop(std::string(why));
      writer_.finish();
    } catch (const std::exception&) {
      // Then the spool says only that it was cut off.
    }
  }

  Arena& arena_;
  const RecordOptions& options_;
  const OutputName& name_;
  SpoolWriter& writer_;
  Drain drain_;
  std::atomic<bool> ending_ = false;
  bool all_dead_ = false;
  bool complete_ = false;
  std::optional<WrongMode> wrong_mode_;
  std::thread thread_;
};

Command command_of(const RecordOptions& options, const fs::path& program, const Arena& arena) {
  Command command{program, options.command, {{PATHSPOOL_ARENA_VARIABLE, arena.path()}}};
  if (options.argv0) command.arguments.front() = *options.argv0;
  return command;
}

}  // namespace
}  // namespace collector

RecordResult record(const RecordOptions& options) {
  using namespace collector;
  if (options.command.empty()) throw ProgramError(ProgramError::kFailed, "no program is named");
  const fs::path program = find_program(options.command.front());
  const ProgramFacts facts = read_program_facts(program);
  require_mode(options, facts);

  const SignalGuard signals;
  ArenaShape shape;
  shape.starts_paused = options.starts_paused;
  Arena arena(shape);
  OutputName name(options.output);
  PackOptions pack = options.pack;
  pack.in_place = true;
  RecordResult result;
  result.instrumented = facts.mode.has_value();
  std::optional<WrongMode> wrong_mode;
  try {
    SpoolWriter writer(options.output, pack, metadata_of(options, facts));
    name.note_identity();
    Collector collector(arena, options, name, writer);
    Launched launched(command_of(options, program, arena), signals);
    const bool all_dead = launched.wait();
    collector.end(all_dead);
    result.wait_status = launched.wait_status();
    result.recorded = collector.any_program();
    result.complete = collector.complete();
    wrong_mode = collector.wrong_mode();
  } catch (...) {
    name.restore();
    throw;
  }
  if (!result.recorded || wrong_mode) name.restore();
  if (wrong_mode) throw *wrong_mode;
  return result;
}

}  // namespace pathspool
