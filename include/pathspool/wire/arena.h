// The memory that a recording's programs and its collector share: one file without a name, mapped
// whole by each. It is sparse; pages that nobody touched take nothing.
//
//   ArenaHeader | ProcessEntry[] | ModuleEntry[] | RingHeader[] | rings | tables
//
// Each ring has one writer, a thread of a program (or the signal handlers that interrupt it), and
// one reader, the collector. It is a row of chunks. The writer fills a chunk, publishes it, and
// goes on in the next one, which the reader has given back full of zeros. A chunk that is not
// published is read only when its writer is dead, up to the first zero.
#pragma once

#include <atomic>
#include <cstdint>

#include "pathspool/wire/word.h"

namespace pathspool::wire {

inline constexpr std::uint64_t kArenaMagic = 0x314c4f4f50534150;  // "PASPOOL1"
inline constexpr std::uint32_t kArenaVersion = 1;

// The environment variable that names the arena's file: a path such as /proc/PID/fd/N.
#define PATHSPOOL_ARENA_VARIABLE "PATHSPOOL_ARENA"

// Chunks lie at multiples of their size, in the file and in memory, so that one bit of the cursor
// says that the chunk is full: the upper half is slack, which lets a function look at that bit once
// for several words. A function writes less than the slack between two looks.
inline constexpr std::uint64_t kChunkBytes = 64U << 10;
inline constexpr std::uint64_t kChunkFullBit = kChunkBytes / 2;
inline constexpr std::uint32_t kChunkWords = kChunkBytes / sizeof(Word);
inline constexpr std::uint32_t kSlackWords = kChunkWords / 2;
inline constexpr std::uint32_t kMostChunks = 64;  // of a ring

enum class ArenaState : std::uint32_t {
  recording = 1,
  stopped = 2,  // the collector takes no more events: programs go on unrecorded
};

struct ArenaHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t header_bytes;   // sizeof(ArenaHeader), of ProcessEntry, ModuleEntry, RingHeader:
  std::uint32_t process_bytes;  // a program built with another version is refused, not misread
  std::uint32_t module_bytes;
  std::uint32_t ring_header_bytes;
  std::uint32_t processes;  // how many entries there are room for
  std::uint32_t modules;
  std::uint32_t rings;
  std::uint32_t chunks_per_ring;  // at most kMostChunks
  std::uint32_t starts_paused;    // 1: nothing is recorded before pathspool_start()
  std::uint64_t processes_offset;
  std::uint64_t modules_offset;
  std::uint64_t ring_headers_offset;
  std::uint64_t rings_offset;   // a multiple of kChunkBytes
  std::uint64_t tables_offset;  // also the end of the rings
  std::uint64_t arena_bytes;    // of the whole file

  std::atomic<std::uint32_t> state;  // ArenaState
  // The collector holds this robust futex for as long as it lives (a pthread robust mutex's word
  // or the like): the kernel sets FUTEX_OWNER_DIED in it at the collector's death, however sudden.
  std::atomic<std::uint32_t> collector;

  alignas(64) std::atomic<std::uint32_t> doorbell;        // futex: counts what is to be looked at
  std::atomic<std::uint32_t> collector_sleeps;            // only then is a wake needed
  alignas(64) std::atomic<std::uint32_t> processes_used;  // entries ever claimed
  std::atomic<std::uint32_t> modules_used;                // entries ever claimed
  std::atomic<std::uint32_t> next_function;               // from kFirstModuleBase
  std::atomic<std::uint32_t> next_fork_token;             // from 1
  std::atomic<std::uint32_t> next_serial;                 // of rings, in order of appearance
  std::atomic<std::uint32_t> streams_lost;                // threads that found no ring
  std::atomic<std::uint64_t> tables_used;                 // bytes
};

// `claimed` while the program fills the entry in.
enum class ProcessState : std::uint32_t { free = 0, attached = 1, ended = 2, claimed = 3 };

struct ProcessEntry {
  std::atomic<std::uint32_t> state;  // ProcessState; `ended` and back to `free` by the collector
  std::int32_t pid;
  std::int32_t parent_pid;
  std::uint32_t mode;  // Mode of its first module, valid when has_mode is 1
  std::uint32_t has_mode;
  char name[64];  // of the program, for messages
};

enum class ModuleState : std::uint32_t { empty = 0, writing = 1, ready = 2 };

// Registered when a module is loaded, in whichever process; never removed.
struct ModuleEntry {
  std::atomic<std::uint32_t> state;  // ModuleState
  std::uint32_t base;
  std::uint32_t functions;
  std::uint32_t mode;
  std::uint64_t hash;
  std::uint64_t table_offset;  // from the start of the tables
  std::uint64_t table_bytes;
};

// A ring's life: free -> claimed (its writer fills in the fields) -> active -> ended (its writer
// will write no more) -> free (the collector has read it to its end and zeroed it).
enum class RingState : std::uint32_t { free = 0, claimed = 1, active = 2, ended = 3 };

enum class RingKind : std::uint32_t { thread = 0, signals = 1 };

inline constexpr std::uint32_t kNoRing = 0xffffffff;

struct RingHeader {
  std::atomic<std::uint32_t> state;  // RingState
  std::uint32_t process;             // index of its ProcessEntry
  std::uint32_t serial;              // streams are numbered in this order
  RingKind kind;
  std::int32_t pid;
  std::int32_t tid;
  std::uint32_t signal_level;   // of a ring for signals: handlers that interrupt handlers
  std::uint32_t parent_serial;  // the serial of the ring whose thread forked or started this one,
                                // kNoRing if unknown
  std::uint32_t fork_token;     // not 0: begins with the frames open at that fork
  char name[20];                // of the thread

  // Written by the program.
  alignas(64) std::atomic<std::uint32_t> published;  // chunks completed since the ring was claimed
  std::uint32_t words[kMostChunks];                  // in each completed chunk
  // Written by the collector.
  alignas(64) std::atomic<std::uint32_t> drained;  // futex: chunks given back
  std::atomic<std::uint32_t> writer_waits;         // only then is a wake needed
};

}  // namespace pathspool::wire
