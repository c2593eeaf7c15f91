// Reads the rings of all programs that a recording has and writes their events to a spool.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pathspool/pack.h"
#include "pathspool/wire/module.h"
#include "recorder/collector/arena.h"
#include "recorder/collector/fork_snapshots.h"
#include "recorder/collector/function_filter.h"
#include "recorder/collector/function_numbers.h"
#include "recorder/collector/module_tables.h"
#include "recorder/collector/process_watch.h"
#include "recorder/collector/ring_reader.h"
#include "recorder/collector/stream_decoder.h"

namespace pathspool::collector {

// When a stream's segment is closed: what is in a closed one survives the collector's sudden death.
struct CutPolicy {
  std::uint64_t events = std::uint64_t{16} << 20;
  std::optional<std::chrono::milliseconds> time = std::chrono::seconds(5);
};

struct DrainOptions {
  FunctionFilter filter;
  CutPolicy cuts;
  wire::Mode mode = wire::Mode::blocks;  // programs that were built for another are an Error
};

// Used by one thread. Whatever throws is an Error of the writer (a full disk) or of a program that
// cannot be recorded; then the recording is over, and nothing more may be called but note_stop().
class Drain {
 public:
  Drain(const Arena& arena, SpoolWriter& writer, DrainOptions options);
  ~Drain();
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

  // Looks once at everything. Returns whether there was anything to do.
  bool pass();
  // pass(), and if there is nothing to do, sleeps until a program has something or 10 ms are over.
  void pass_or_sleep();

  // Reads what is left and adds the notes. Whoever is still attached is either dead, or goes on
  // unrecorded from here; `all_dead` says which.
  void finish(bool all_dead);

  // The recording ends early: adds the notes that tell of it, and of all else that went wrong.
  void note_stop(const std::string& why);

  // Whether any program ever recorded itself.
  [[nodiscard]] bool any_program() const { return processes_.any_seen(); }

 private:
  class Stream;
  using Clock = std::chrono::steady_clock;

  void look_around();
  void admit_rings();
  void admit(std::uint32_t number);
  std::optional<StreamId> parent_of(const wire::RingHeader& header);
  bool drain(Stream& stream);
  void read_rest(Stream& stream);
  [[nodiscard]] bool is_over(const Stream& stream) const;
  void release_processes();
  void load_modules();
  void load(std::uint32_t module);
  void count_for_cut(StreamId stream, std::uint64_t events);
  void cut_some(Clock::time_point now);
  void warn(StreamId stream, std::uint64_t index, const std::string& text);
  void note_counts(const Stream& stream);

  const Arena& arena_;
  SpoolWriter& writer_;
  DrainOptions options_;
  ProcessWatch processes_;
  FunctionNumbers numbers_;
  ModuleTables tables_;
  std::vector<bool> modules_loaded_;
  std::uint32_t first_missing_module_ = 0;
  ForkSnapshots snapshots_;

  std::vector<std::unique_ptr<Stream>> by_ring_;  // null where a ring is not ours yet
  std::vector<Stream*> active_;                   // by rising id
  std::vector<bool> held_back_;                   // rings that a lower serial may come before
  std::unordered_map<std::uint32_t, StreamId> by_serial_;
  std::unordered_map<std::int32_t, StreamId> by_pid_;  // the latest of each process's first thread
  std::uint32_t next_serial_ = 0;
  std::uint32_t next_stream_ = 0;

  std::map<StreamId, std::uint64_t> uncut_;  // events since the last cut
  std::deque<StreamId> due_;                 // to be cut
  Clock::time_point next_cuts_;
  Clock::time_point next_look_;
  unsigned passes_ = 0;
  bool idle_ = true;

  std::unique_ptr<EventBuffer> events_ = std::make_unique<EventBuffer>();
  std::unique_ptr<ChunkCopy> copy_ = std::make_unique<ChunkCopy>();
};

}  // namespace pathspool::collector
