// Form `chunks`: events in a compact coding, cut into chunks that are compressed alone.
#pragma once

#include <vector>

#include "spool/chunks_form.h"
#include "spool/compression_pool.h"
#include "spool/segment_encoder.h"

namespace pathspool::spool {

struct ChunksLimits {
  Codec codec = Codec::zstd;
  std::uint64_t chunk_bytes = 4U << 20;
  std::uint64_t segment_bytes = 256U << 20;  // of coded events
};

class ChunksEncoder final : public SegmentEncoder {
 public:
  // The pool serves the encoders of all streams and outlives them.
  ChunksEncoder(const ChunksLimits& limits, CompressionPool& pool);

  std::size_t append(std::span<const Event> events) override;
  [[nodiscard]] bool empty() const override { return raw_.empty() && tickets_.empty(); }
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] EncodedSegment finish() override;

 private:
  void close_chunk();

  ChunksLimits limits_;
  CompressionPool& pool_;
  FactsBuilder facts_;
  base::Bytes raw_;
  ChunksForm form_;
  std::vector<CompressionPool::Ticket> tickets_;
  CompressionPool::Counter stored_bytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::uint64_t closed_bytes_ = 0;  // raw bytes of the closed chunks
};

}  // namespace pathspool::spool
