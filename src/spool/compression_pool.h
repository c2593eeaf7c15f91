// Compresses chunks on all cores, in bounded memory.
#pragma once

#include <tbb/task_group.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"
#include "codec/codec.h"

namespace pathspool::spool {

class CompressionPool {
 public:
  // What one chunk takes while it is compressed.
  [[nodiscard]] static std::uint64_t bytes_for_one(Codec codec, std::uint64_t chunk_bytes);

  // The memory is enough for one chunk at least.
  CompressionPool(Codec codec, std::uint64_t chunk_bytes, std::uint64_t memory_bytes);
  ~CompressionPool();

  // A chunk on its way: its raw bytes until it is compressed, its stored ones after.
  using Ticket = std::shared_ptr<base::Bytes>;
  // Counts the stored bytes of finished tickets.
  using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;

  // Returns at once unless as many chunks are under way as the memory allows.
  [[nodiscard]] Ticket submit(base::Bytes raw, const Counter& stored_bytes);

  // Until every ticket holds its stored bytes. The calling thread helps.
  void wait();

 private:
  [[nodiscard]] std::unique_ptr<codec::Compressor> borrow();
  void give_back(std::unique_ptr<codec::Compressor> compressor);

  Codec codec_;
  std::uint64_t chunk_bytes_;
  std::uint64_t most_in_flight_;
  std::uint64_t in_flight_ = 0;
  std::mutex mutex_;
  // As many as were ever at work at once, however many threads there are.
  std::vector<std::unique_ptr<codec::Compressor>> idle_;
  tbb::task_group tasks_;
};

}  // namespace pathspool::spool
