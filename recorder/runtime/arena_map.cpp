// Attaching to the recording that the environment names: once per process, at start-up or at the
// first word.
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process.h"
#include "ring.h"

namespace pathspool::runtime {

// Ready before any code runs: there is no constructor to come later and clear it.
constinit Process process{};

namespace {

constexpr auto kProcessClaimed = static_cast<std::uint32_t>(wire::ProcessState::claimed);

std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

// The value of `variable` if `entry` is "variable=value".
const char* value_if(const char* entry, const char* variable) {
  while (*variable != 0 && *entry == *variable) ++entry, ++variable;
  return *variable == 0 && *entry == '=' ? entry + 1 : nullptr;
}

// Code can run before libc knows its environment. The kernel does.
bool read_variable_from_kernel(const char* variable, char* value, std::size_t value_bytes) {
  const int file = open_file("/proc/self/environ", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char buffer[512];
  std::size_t matched = 0;  // letters of the variable's name seen in this entry
  const std::size_t name_bytes = length_of(variable);
  std::size_t value_length = 0;
  enum { in_name, in_value, elsewhere, found } where = in_name;
  for (;;) {
    const long got = system_call(SYS_read, file, as_argument(&buffer[0]), sizeof buffer);
    if (got <= 0 || where == found) break;
    for (long i = 0; i < got && where != found; ++i) {
      const char letter = buffer[i];
      if (where == in_value) {
        if (value_length + 1 == value_bytes)
          letter == 0 ? where = found : where = elsewhere;
        else if (letter == 0)
          where = found;
        else
          value[value_length++] = letter;
      } else if (letter == 0) {
        where = in_name;
        matched = 0;
      } else if (where == in_name) {
        if (matched == name_bytes && letter == '=')
          where = in_value;
        else if (matched < name_bytes && letter == variable[matched])
          ++matched;
        else
          where = elsewhere;
      }
    }
  }
  close_file(file);
  value[value_length] = 0;
  return where == found;
}

bool fits(const wire::ArenaHeader& header, std::uint64_t offset, std::uint64_t count,
          std::uint64_t size) {
  return offset <= header.arena_bytes && count <= (header.arena_bytes - offset) / size;
}

const char* fault_of(const wire::ArenaHeader& header, std::uint64_t file_bytes) {
  if (header.magic != wire::kArenaMagic) return "the recording's memory is not what it should be";
  if (header.version != wire::kArenaVersion || header.header_bytes != sizeof(wire::ArenaHeader) ||
      header.process_bytes != sizeof(wire::ProcessEntry) ||
      header.module_bytes != sizeof(wire::ModuleEntry) ||
      header.ring_header_bytes != sizeof(wire::RingHeader)) {
    return "it was built by another version of pathspool than the one that records";
  }
  const std::uint64_t ring_bytes = header.chunks_per_ring * wire::kChunkBytes;
  if (header.arena_bytes > file_bytes || header.chunks_per_ring < 2 ||
      header.chunks_per_ring > wire::kMostChunks || header.rings_offset % wire::kChunkBytes != 0 ||
      !fits(header, header.processes_offset, header.processes, sizeof(wire::ProcessEntry)) ||
      !fits(header, header.modules_offset, header.modules, sizeof(wire::ModuleEntry)) ||
      !fits(header, header.ring_headers_offset, header.rings, sizeof(wire::RingHeader)) ||
      !fits(header, header.rings_offset, header.rings, ring_bytes) ||
      !fits(header, header.tables_offset, 0, 1)) {
    return "the recording's memory is not what it should be";
  }
  return nullptr;
}

bool failed(long result) { return result < 0 && result > -4096; }

// Chunks lie at multiples of their size: room is taken for one more than needed, and the rest given
// back.
unsigned char* map_aligned(int file, std::uint64_t bytes) {
  const std::uint64_t reserved = bytes + wire::kChunkBytes;
  const long got = system_call(SYS_mmap, 0, static_cast<long>(reserved), PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (failed(got)) return nullptr;
  const auto begin = static_cast<std::uintptr_t>(got);
  const std::uintptr_t base = (begin + wire::kChunkBytes - 1) & ~(wire::kChunkBytes - 1);
  const long mapped =
      system_call(SYS_mmap, static_cast<long>(base), static_cast<long>(bytes),
                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0);
  if (failed(mapped)) {
    system_call(SYS_munmap, got, static_cast<long>(reserved));
    return nullptr;
  }
  if (base != begin) system_call(SYS_munmap, got, static_cast<long>(base - begin));
  const std::uintptr_t end = (base + bytes + 4095) & ~std::uintptr_t{4095};
  if (end < begin + reserved) {
    system_call(SYS_munmap, static_cast<long>(end), static_cast<long>(begin + reserved - end));
  }
  return reinterpret_cast<unsigned char*>(base);
}

// Null if there is nothing to attach to; says why, unless the recording is merely over.
unsigned char* map_arena(const char* path) {
  const int file = open_file(path, O_RDWR | O_CLOEXEC);
  if (file < 0) {
    // The collector's descriptors go with it. Without /proc nobody could tell.
    const int proc = file == -ENOENT ? open_file("/proc/self", O_PATH | O_CLOEXEC) : -1;
    if (proc >= 0) {
      close_file(proc);
    } else {
      say_unrecorded("cannot open the recording's memory", path);
    }
    return nullptr;
  }
  unsigned char* base = nullptr;
  alignas(wire::ArenaHeader) unsigned char bytes[sizeof(wire::ArenaHeader)] = {};
  const long got = system_call(SYS_pread64, file, as_argument(&bytes[0]), sizeof bytes, 0);
  const long file_bytes = system_call(SYS_lseek, file, 0, SEEK_END);
  const auto& header = *reinterpret_cast<const wire::ArenaHeader*>(bytes);
  if (got != sizeof bytes || file_bytes < 0) {
    say_unrecorded("cannot read the recording's memory", path);
  } else if (const char* fault = fault_of(header, static_cast<std::uint64_t>(file_bytes))) {
    say_unrecorded(fault);
  } else if (takes_events(header)) {
    base = map_aligned(file, header.arena_bytes);
    if (base == nullptr) say_unrecorded("no address space for the recording's memory");
  }
  close_file(file);
  return base;
}

// The file's name rather than the thread's, which is cut at 15 letters.
void find_program_name() {
  char path[512];
  long length = system_call(SYS_readlinkat, AT_FDCWD, as_argument("/proc/self/exe"),
                            as_argument(&path[0]), sizeof path - 1);
  if (length <= 0) {
    static_assert(sizeof path >= 16);
    for (char& letter : path) letter = 0;
    system_call(SYS_prctl, 16 /* PR_GET_NAME */, as_argument(&path[0]));
    length = static_cast<long>(length_of(path));
  }
  path[length] = 0;
  const char* last = path;
  for (const char* letter = path; *letter != 0; ++letter) {
    if (*letter == '/') last = letter + 1;
  }
  for (std::size_t i = 0; i + 1 < sizeof process.name && last[i] != 0; ++i) {
    process.name[i] = last[i];
  }
}

AttachState attach_now(char** environment) {
  // A program with more rights than its user has takes no orders from the user's environment.
  if (getauxval(AT_SECURE) != 0) return AttachState::unrecorded;
  char from_kernel[512];
  const char* path = nullptr;
  if (environment == nullptr) environment = environ;
  if (environment != nullptr) {
    path = value_in(environment, PATHSPOOL_ARENA_VARIABLE);
  } else if (read_variable_from_kernel(PATHSPOOL_ARENA_VARIABLE, from_kernel, sizeof from_kernel)) {
    path = from_kernel;
  }
  if (path == nullptr || *path == 0) return AttachState::unrecorded;

  unsigned char* const base = map_arena(path);
  if (base == nullptr) return AttachState::unrecorded;
  process.arena = ArenaView(base);
  process.pid = process_id();
  process.first_serial.store(wire::kNoRing, std::memory_order_relaxed);
  find_program_name();
  if (!claim_process_entry()) {
    say_unrecorded("the recording has too many processes");
    return AttachState::unrecorded;
  }
  find_real_signal_functions();
  watch_thread_ends();
  watch_forks();
  return AttachState::recorded;
}

}  // namespace

const char* value_in(char** environment, const char* variable) {
  for (; *environment != nullptr; ++environment) {
    if (const char* value = value_if(*environment, variable)) return value;
  }
  return nullptr;
}

void say_unrecorded(const char* why, const char* subject) {
  // One write, so that the line stays whole.
  char line[512];
  std::size_t length = 0;
  const auto add = [&](const char* text) {
    while (*text != 0 && length + 1 < sizeof line) line[length++] = *text++;
  };
  add("pathspool: this program runs unrecorded: ");
  add(why);
  if (subject != nullptr) {
    add(": ");
    add(subject);
  }
  line[length++] = '\n';
  system_call(SYS_write, 2, as_argument(&line[0]), static_cast<long>(length));
}

bool claim_process_entry() {
  wire::ArenaHeader& header = process.arena.header();
  constexpr int kTries = 2000;  // a millisecond apart: the collector gives ended entries back
  for (int attempt = 0; attempt < kTries && takes_events(header); ++attempt) {
    for (std::uint32_t index = 0; index < header.processes; ++index) {
      wire::ProcessEntry& entry = process.arena.process(index);
      auto state = static_cast<std::uint32_t>(wire::ProcessState::free);
      if (!entry.state.compare_exchange_strong(state, kProcessClaimed, std::memory_order_acquire)) {
        continue;
      }
      entry.pid = process.pid;
      entry.parent_pid = static_cast<std::int32_t>(system_call(SYS_getppid));
      entry.mode = 0;
      entry.has_mode = 0;
      for (std::size_t i = 0; i < sizeof entry.name; ++i) entry.name[i] = process.name[i];
      std::uint32_t used = header.processes_used.load();
      while (used <= index && !header.processes_used.compare_exchange_weak(used, index + 1)) {
      }
      entry.state.store(static_cast<std::uint32_t>(wire::ProcessState::attached),
                        std::memory_order_release);
      process.entry = index;
      ring_the_doorbell(header);
      return true;
    }
    ring_the_doorbell(header);
    sleep_a_millisecond();
  }
  return false;
}

void attach(char** environment) {
  // A handler that interrupted this and came here too would wait for itself.
  const SignalsBlocked blocked;
  AttachState state = AttachState::unknown;
  if (process.state.compare_exchange_strong(state, AttachState::attaching)) {
    process.attaching_thread.store(thread_id());
    process.state.store(attach_now(environment), std::memory_order_release);
    return;
  }
  // So would an instrumented malloc that libc calls while we attach.
  if (process.attaching_thread.load() == thread_id()) return;
  while (process.state.load(std::memory_order_acquire) == AttachState::attaching) {
    sleep_a_millisecond();
  }
}

bool is_recorded() {
  const AttachState state = process.state.load(std::memory_order_acquire);
  if (state == AttachState::unknown || state == AttachState::attaching) {
    attach(nullptr);
    return process.state.load(std::memory_order_acquire) == AttachState::recorded;
  }
  return state == AttachState::recorded;
}

}  // namespace pathspool::runtime
