#include "spool/compression_pool.h"

#include <fmt/core.h>
#include <tbb/info.h>

#include <algorithm>

#include "pathspool/error.h"

namespace pathspool::spool {
namespace {

// Two for each core, so that nobody waits for the reader of events.
std::uint64_t most_useful() {
  return 2 * static_cast<std::uint64_t>(tbb::info::default_concurrency());
}

}  // namespace

CompressionPool::CompressionPool(Codec codec, std::uint64_t chunk_bytes, std::uint64_t memory_bytes)
    : bytes_each_(chunk_bytes + codec::Compressor::memory_bytes(codec, chunk_bytes)),
      most_in_flight_(std::min(memory_bytes / bytes_each_, most_useful())),
      compressors_([=] { return codec::Compressor(codec, chunk_bytes); }) {
  if (most_in_flight_ == 0) {
    throw Error(fmt::format("chunks of {} bytes under {} need more memory: allow at least {}M",
                            chunk_bytes, name_of(codec), (2 * bytes_each_ >> 20) + 1));
  }
}

CompressionPool::~CompressionPool() {
  tasks_.cancel();
  tasks_.wait();
}

CompressionPool::Ticket CompressionPool::submit(base::Bytes raw, const Counter& stored_bytes) {
  if (in_flight_ == most_in_flight_) wait();
  ++in_flight_;
  auto ticket = std::make_shared<base::Bytes>(std::move(raw));
  tasks_.run([this, ticket, stored_bytes] {
    *ticket = compressors_.local().compress(*ticket);
    stored_bytes->fetch_add(ticket->size(), std::memory_order_relaxed);
  });
  return ticket;
}

void CompressionPool::wait() {
  tasks_.wait();
  in_flight_ = 0;
}

}  // namespace pathspool::spool
