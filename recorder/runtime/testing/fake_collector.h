// The other side of the arena, for tests of the runtime: a collector that keeps the words of every
// ring as they are, and runs victims, programs that are linked with the runtime and write words as
// the pass would have them do.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "pathspool/wire/arena.h"
#include "pathspool/wire/word.h"

namespace pathspool::testing {

using wire::Word;

struct Stream {
  wire::RingKind kind;
  std::uint32_t process;
  std::uint32_t level;
  std::uint32_t parent_serial;
  std::uint32_t fork_token;
  std::int32_t pid;
  std::int32_t tid;
  std::string name;
  bool ended = false;  // by its own word, not by its process's death
  std::vector<Word> words;
};

struct ArenaSize {
  std::uint32_t processes = 16;
  std::uint32_t modules = 16;
  std::uint32_t rings = 16;
  std::uint32_t chunks_per_ring = 4;
  std::uint64_t tables_bytes = 64 << 10;
  bool starts_paused = false;
};

class FakeCollector {
 public:
  explicit FakeCollector(const ArenaSize& size = {});
  ~FakeCollector();
  FakeCollector(const FakeCollector&) = delete;
  FakeCollector& operator=(const FakeCollector&) = delete;

  wire::ArenaHeader& header() { return *reinterpret_cast<wire::ArenaHeader*>(base_); }
  wire::ProcessEntry& process(std::uint32_t index);
  wire::ModuleEntry& module(std::uint32_t index);
  wire::RingHeader& ring(std::uint32_t index);
  const unsigned char* tables() { return base_ + header().tables_offset; }
  std::string path() const;

  // Starts the victim in a scenario, attached to this arena.
  pid_t start(const std::string& scenario, const std::vector<std::string>& variables = {});
  // Takes published chunks, and gives ended rings back, once.
  void drain();
  // Drains until the process has ended; its status as waitpid gives it.
  int drain_until_end_of(pid_t process);
  // What the dead left behind in chunks that were never published.
  void read_the_dead();
  // All three: runs a scenario to its end, and reads everything.
  int run(const std::string& scenario, const std::vector<std::string>& variables = {});

  std::map<std::uint32_t, Stream> streams;  // by serial
  // The words of the only stream of that kind; fails the test if there is not exactly one.
  const Stream& only(wire::RingKind kind, std::uint32_t level = 0);

 private:
  Word* chunk(std::uint32_t ring_index, std::uint32_t count);
  Stream& stream_of(const wire::RingHeader& ring);
  void read_tail(std::uint32_t index);

  int file_ = -1;
  unsigned char* base_ = nullptr;
};

// Runs a victim without a recording: standard error and status.
struct Outcome {
  int status;
  std::string errors;
  std::string output;
};
Outcome run_alone(const std::string& scenario, const std::vector<std::string>& variables = {});

inline Word number(Word value) { return wire::kBlockKind | value; }
std::vector<Word> numbers(Word first, Word last);  // last not included
std::vector<Word> joined(std::initializer_list<std::vector<Word>> parts);
std::vector<Word> fork_record(Word token);
std::vector<Word> end_of_frames();  // of a thread

}  // namespace pathspool::testing
