// The collector's side of the memory that it shares with the programs it records
// (pathspool/wire/arena.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "pathspool/wire/arena.h"
#include "recorder/collector/life_sign.h"

namespace pathspool::collector {

// All of it is sparse: what is not used takes no memory.
struct ArenaShape {
  std::uint32_t processes = 4096;
  std::uint32_t modules = 65536;
  std::uint32_t rings = 1024;
  std::uint32_t chunks_per_ring = 32;
  std::uint64_t table_bytes = std::uint64_t{1} << 30;
  bool starts_paused = false;
};

// A file without a name, made, laid out and mapped. Programs can write everywhere in it: whatever
// is read from it is a claim, and what the collector must rely on (the shape) it keeps for itself.
class Arena {
 public:
  explicit Arena(const ArenaShape& shape = {});
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A path by which any process can open it while this one lives.
  [[nodiscard]] std::string path() const;

  [[nodiscard]] const ArenaShape& shape() const { return shape_; }
  [[nodiscard]] wire::ArenaHeader& header() const {
    return *reinterpret_cast<wire::ArenaHeader*>(memory_);
  }
  // The numbers must be within the shape.
  [[nodiscard]] wire::ProcessEntry& process(std::uint32_t number) const {
    return at<wire::ProcessEntry>(processes_offset_, number);
  }
  [[nodiscard]] wire::ModuleEntry& module(std::uint32_t number) const {
    return at<wire::ModuleEntry>(modules_offset_, number);
  }
  [[nodiscard]] wire::RingHeader& ring(std::uint32_t number) const {
    return at<wire::RingHeader>(ring_headers_offset_, number);
  }
  [[nodiscard]] std::span<wire::Word> chunk(std::uint32_t ring, std::uint32_t chunk) const;
  [[nodiscard]] std::span<const std::uint8_t> tables() const {
    return {memory_ + tables_offset_, shape_.table_bytes};
  }

  // Gives the memory of a ring's chunks from this one on back to the system: they read as zeros.
  void forget_chunks(std::uint32_t ring, std::uint32_t first_chunk) const;

  // Programs go on unrecorded; those that wait for room wake up.
  void stop() const;

 private:
  template <typename T>
  [[nodiscard]] T& at(std::uint64_t offset, std::uint32_t number) const {
    return reinterpret_cast<T*>(memory_ + offset)[number];
  }
  void lay_out();
  void map();

  ArenaShape shape_;
  std::uint64_t processes_offset_ = 0;
  std::uint64_t modules_offset_ = 0;
  std::uint64_t ring_headers_offset_ = 0;
  std::uint64_t rings_offset_ = 0;
  std::uint64_t tables_offset_ = 0;
  std::uint64_t bytes_ = 0;
  int descriptor_ = -1;
  std::uint8_t* memory_ = nullptr;
  std::optional<LifeSign> life_sign_;
};

}  // namespace pathspool::collector
