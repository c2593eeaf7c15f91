// scribbling SEED WHAT: writes garbage into the memory that it shares with the collector, between
// calls. WHAT says where: `words` into its ring, `ring` into the ring's header too, `all` into
// every header and table. What it records then makes no sense, and it may not survive itself.
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "pathspool/wire/arena.h"

namespace wire = pathspool::wire;

namespace {

std::mt19937_64 generator;

// Some of everything: words that mean something as well as such that do not.
std::uint32_t garbage() {
  switch (generator() % 4) {
    case 0:
      return 0;
    case 1:
      return static_cast<std::uint32_t>(generator());
    case 2:
      return wire::kEnterKind |
             (wire::kFirstModuleBase + static_cast<std::uint32_t>(generator() % 8));
    default:
      return static_cast<std::uint32_t>(generator() % 64);
  }
}

__attribute__((noinline)) void scribble(unsigned char* at, std::uint64_t bytes, unsigned one_in) {
  for (std::uint64_t i = 0; i + 4 <= bytes; i += 4) {
    if (generator() % one_in != 0) continue;
    const std::uint32_t word = garbage();
    std::memcpy(at + i, &word, sizeof word);
  }
}

unsigned char* find_arena() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  unsigned long begin = 0;
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::strstr(line, "memfd:pathspool") == nullptr) continue;
    begin = std::strtoul(line, nullptr, 16);
    break;
  }
  if (maps != nullptr) std::fclose(maps);
  return reinterpret_cast<unsigned char*>(begin);
}

__attribute__((noinline)) unsigned call_some(unsigned x, int depth) {
  if (depth == 0) return x + 1;
  return call_some(x * 3, depth - 1) + (x & 1 ? call_some(x + 1, depth - 1) : 2);
}

void* call_more(void*) {
  unsigned x = 1;
  for (int i = 0; i < 2000; ++i) x = call_some(x + i, 8);
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(x & 1));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 98;
  alarm(2);  // where its own scribbling makes it wait for ever
  generator.seed(std::strtoull(argv[1], nullptr, 10));
  const std::string what = argv[2];
  unsigned char* const arena = find_arena();
  if (arena == nullptr) return 97;
  call_more(nullptr);
  const auto& header = *reinterpret_cast<const wire::ArenaHeader*>(arena);
  const std::uint64_t ring_bytes = header.chunks_per_ring * wire::kChunkBytes;
  unsigned char* const rings = arena + header.rings_offset;
  unsigned char* const ring_headers = arena + header.ring_headers_offset;
  unsigned char* const tables = arena + header.tables_offset;
  unsigned char* const processes = arena + header.processes_offset;
  unsigned char* const modules = arena + header.modules_offset;

  scribble(rings, ring_bytes, 1 + generator() % 100);
  if (what == "ring" || what == "all") {
    scribble(ring_headers, sizeof(wire::RingHeader) * 2, 1 + generator() % 20);
  }
  if (what == "all") {
    scribble(tables, 4096, 1 + generator() % 50);
    scribble(processes, sizeof(wire::ProcessEntry) * 4, 1 + generator() % 20);
    scribble(modules, sizeof(wire::ModuleEntry) * 4, 1 + generator() % 20);
    scribble(ring_headers, sizeof(wire::RingHeader) * 20, 1 + generator() % 50);
    scribble(arena, sizeof(wire::ArenaHeader), 10);
  }
  pthread_t thread;
  if (pthread_create(&thread, nullptr, call_more, nullptr) == 0) pthread_join(thread, nullptr);
  call_more(nullptr);
  return 0;
}
