// Modules: the tables of functions that the program's object files bring, copied to where the
// collector reads them, and the numbers that their functions get.
#include "pathspool/wire/module.h"
#include "process.h"
#include "ring.h"

namespace pathspool::runtime {
namespace {

// Not memcpy and memcmp: the program may bring its own, with instrumentation.
void copy_bytes(unsigned char* to, const unsigned char* from, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) to[i] = from[i];
}
bool same_bytes(const unsigned char* a, const unsigned char* b, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

std::uint32_t state_of(const wire::ModuleEntry& entry) {
  return entry.state.load(std::memory_order_acquire);
}

constexpr auto kEmpty = static_cast<std::uint32_t>(wire::ModuleState::empty);
constexpr auto kWriting = static_cast<std::uint32_t>(wire::ModuleState::writing);
constexpr auto kReady = static_cast<std::uint32_t>(wire::ModuleState::ready);

constinit std::atomic<std::uint32_t> abandoned_before{0};

// Another process may be writing the very module that we look for. It may also have been killed
// meanwhile: its entry then stays as it is, and is not waited for twice.
void wait_until_written(const wire::ModuleEntry& entry, std::uint32_t index) {
  if (index < abandoned_before.load(std::memory_order_relaxed)) return;
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (state_of(entry) != kWriting) return;
    sleep_a_millisecond();
  }
  abandoned_before.store(index + 1, std::memory_order_relaxed);
}

bool is_same(const wire::ModuleEntry& entry, const wire::Module& module) {
  return entry.hash == module.hash && entry.table_bytes == module.table_bytes &&
         entry.functions == module.functions && entry.mode == module.mode &&
         entry.table_offset <= process.arena.tables_bytes() &&
         entry.table_bytes <= process.arena.tables_bytes() - entry.table_offset &&
         same_bytes(process.arena.tables() + entry.table_offset, module.table, module.table_bytes);
}

// Adds unless the sum would be above the limit.
template <class Number>
bool reserve(std::atomic<Number>& used, Number count, Number limit, Number& begin) {
  begin = used.load(std::memory_order_relaxed);
  do {
    if (begin > limit || count > limit - begin) return false;
  } while (!used.compare_exchange_weak(begin, static_cast<Number>(begin + count)));
  return true;
}

// The entry is ours to write.
bool fill(wire::ModuleEntry& entry, const wire::Module& module) {
  wire::ArenaHeader& header = process.arena.header();
  std::uint64_t offset = 0;
  std::uint32_t base = 0;
  if (module.table_bytes > process.arena.tables_bytes() ||
      !reserve(header.tables_used, (module.table_bytes + 7) & ~std::uint64_t{7},
               process.arena.tables_bytes(), offset) ||
      !reserve(header.next_function, module.functions, wire::kFunctionMask, base)) {
    return false;
  }
  copy_bytes(process.arena.tables() + offset, module.table, module.table_bytes);
  entry.base = base;
  entry.functions = module.functions;
  entry.mode = module.mode;
  entry.hash = module.hash;
  entry.table_offset = offset;
  entry.table_bytes = module.table_bytes;
  return true;
}

void say_tables_are_full() {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true)) return;
  constexpr char kLine[] =
      "pathspool: the recording has no room for the names of more functions: they stay nameless\n";
  system_call(SYS_write, 2, as_argument(&kLine[0]), sizeof kLine - 1);
}

// The base of the module's functions; 0 if there is no room for them. Entries are taken in order,
// and one is taken only when all before it are known to be other modules: so a table is never there
// twice, whoever else is looking.
std::uint32_t base_of(const wire::Module& module) {
  wire::ArenaHeader& header = process.arena.header();
  for (std::uint32_t index = 0; index < header.modules; ++index) {
    wire::ModuleEntry& entry = process.arena.module(index);
    std::uint32_t state = kEmpty;
    if (entry.state.compare_exchange_strong(state, kWriting, std::memory_order_acquire)) {
      if (!fill(entry, module)) {
        entry.state.store(kEmpty, std::memory_order_release);
        break;
      }
      std::uint32_t used = header.modules_used.load();
      while (used <= index && !header.modules_used.compare_exchange_weak(used, index + 1)) {
      }
      entry.state.store(kReady, std::memory_order_release);
      return entry.base;
    }
    if (state == kWriting) wait_until_written(entry, index);
    if (state_of(entry) == kReady && is_same(entry, module)) return entry.base;
  }
  say_tables_are_full();
  return 0;
}

void note_mode(const wire::Module& module) {
  wire::ProcessEntry& entry = process.arena.process(process.entry);
  if (entry.has_mode != 0) return;
  entry.mode = module.mode;
  __atomic_store_n(&entry.has_mode, 1U, __ATOMIC_RELEASE);
}

}  // namespace
}  // namespace pathspool::runtime

PATHSPOOL_EXPORT void pathspool_register_module(pathspool::wire::Module* module) {
  using namespace pathspool;
  if (__atomic_load_n(&module->base, __ATOMIC_ACQUIRE) != 0 || !runtime::is_recorded()) return;
  if (module->version != wire::kModuleVersion) {
    runtime::say_unrecorded("a part of it was built by another version of pathspool");
    return;
  }
  runtime::note_mode(*module);
  __atomic_store_n(&module->base, runtime::base_of(*module), __ATOMIC_RELEASE);
}
