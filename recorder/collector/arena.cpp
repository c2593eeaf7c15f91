#include "recorder/collector/arena.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "pathspool/error.h"
#include "recorder/collector/futex.h"

namespace pathspool::collector {
namespace {

constexpr std::uint64_t kPageBytes = 4096;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

Error no_memory(const char* what) {
  return Error(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

Arena::Arena(const ArenaShape& shape) : shape_(shape) {
  shape_.chunks_per_ring = std::clamp(shape_.chunks_per_ring, 2U, wire::kMostChunks);
  lay_out();
  descriptor_ = ::memfd_create("pathspool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) throw no_memory("cannot make shared memory");
  try {
    map();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void Arena::lay_out() {
  std::uint64_t end = rounded_up(sizeof(wire::ArenaHeader), kPageBytes);
  const auto place = [&end](std::uint64_t bytes, std::uint64_t unit) {
    const std::uint64_t offset = rounded_up(end, unit);
    end = offset + bytes;
    return offset;
  };
  processes_offset_ = place(sizeof(wire::ProcessEntry) * shape_.processes, kPageBytes);
  modules_offset_ = place(sizeof(wire::ModuleEntry) * shape_.modules, kPageBytes);
  ring_headers_offset_ = place(sizeof(wire::RingHeader) * shape_.rings, kPageBytes);
  rings_offset_ =
      place(wire::kChunkBytes * shape_.chunks_per_ring * shape_.rings, wire::kChunkBytes);
  tables_offset_ = place(shape_.table_bytes, wire::kChunkBytes);
  bytes_ = rounded_up(end, wire::kChunkBytes);
}

void Arena::map() {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) {
    throw no_memory("cannot make shared memory");
  }
  // A file that got shorter would kill whoever touches what is gone.
  ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  void* const memory =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (memory == MAP_FAILED) throw no_memory("cannot map shared memory");
  memory_ = static_cast<std::uint8_t*>(memory);

  auto* const header = new (memory_) wire::ArenaHeader{};
  header->version = wire::kArenaVersion;
  header->header_bytes = sizeof(wire::ArenaHeader);
  header->process_bytes = sizeof(wire::ProcessEntry);
  header->module_bytes = sizeof(wire::ModuleEntry);
  header->ring_header_bytes = sizeof(wire::RingHeader);
  header->processes = shape_.processes;
  header->modules = shape_.modules;
  header->rings = shape_.rings;
  header->chunks_per_ring = shape_.chunks_per_ring;
  header->starts_paused = shape_.starts_paused ? 1 : 0;
  header->processes_offset = processes_offset_;
  header->modules_offset = modules_offset_;
  header->ring_headers_offset = ring_headers_offset_;
  header->rings_offset = rings_offset_;
  header->tables_offset = tables_offset_;
  header->arena_bytes = bytes_;
  header->next_function.store(wire::kFirstModuleBase);
  header->next_fork_token.store(1);
  header->state.store(static_cast<std::uint32_t>(wire::ArenaState::recording));
  life_sign_.emplace(header->collector);
  header->magic = wire::kArenaMagic;
}

Arena::~Arena() {
  stop();
  life_sign_.reset();
  ::munmap(memory_, bytes_);
  ::close(descriptor_);
}

std::string Arena::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

std::span<wire::Word> Arena::chunk(std::uint32_t ring, std::uint32_t chunk) const {
  const std::uint64_t number = std::uint64_t{ring} * shape_.chunks_per_ring + chunk;
  return {reinterpret_cast<wire::Word*>(memory_ + rings_offset_ + number * wire::kChunkBytes),
          wire::kChunkWords};
}

void Arena::forget_chunks(std::uint32_t ring, std::uint32_t first_chunk) const {
  if (first_chunk >= shape_.chunks_per_ring) return;
  const std::uint64_t bytes = (shape_.chunks_per_ring - first_chunk) * wire::kChunkBytes;
  ::madvise(chunk(ring, first_chunk).data(), bytes, MADV_REMOVE);
}

void Arena::stop() const {
  header().state.store(static_cast<std::uint32_t>(wire::ArenaState::stopped));
  for (std::uint32_t number = 0; number < shape_.rings; ++number) {
    wire::RingHeader& header = ring(number);
    if (header.state.load() == static_cast<std::uint32_t>(wire::RingState::free)) continue;
    futex_wake_all(header.drained);
  }
}

}  // namespace pathspool::collector
