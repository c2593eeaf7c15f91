#include "spool/compression_pool.h"

#include <tbb/info.h>

#include <algorithm>

#include "base/check.h"

namespace pathspool::spool {
namespace {

// Two for each core, so that nobody waits for the reader of events.
std::uint64_t most_useful() {
  return 2 * static_cast<std::uint64_t>(tbb::info::default_concurrency());
}

}  // namespace

std::uint64_t CompressionPool::bytes_for_one(Codec codec, std::uint64_t chunk_bytes) {
  return chunk_bytes + codec::Compressor::memory_bytes(codec, chunk_bytes);
}

CompressionPool::CompressionPool(Codec codec, std::uint64_t chunk_bytes, std::uint64_t memory_bytes)
    : codec_(codec),
      chunk_bytes_(chunk_bytes),
      most_in_flight_(std::min(memory_bytes / bytes_for_one(codec, chunk_bytes), most_useful())) {
  PATHSPOOL_CHECK(most_in_flight_ > 0);
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
    std::unique_ptr<codec::Compressor> compressor = borrow();
    *ticket = compressor->compress(*ticket);
    give_back(std::move(compressor));
    stored_bytes->fetch_add(ticket->size(), std::memory_order_relaxed);
  });
  return ticket;
}

std::unique_ptr<codec::Compressor> CompressionPool::borrow() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return std::make_unique<codec::Compressor>(codec_, chunk_bytes_);
  std::unique_ptr<codec::Compressor> compressor = std::move(idle_.back());
  idle_.pop_back();
  return compressor;
}

void CompressionPool::give_back(std::unique_ptr<codec::Compressor> compressor) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(compressor));
}

void CompressionPool::wait() {
  tasks_.wait();
  in_flight_ = 0;
}

}  // namespace pathspool::spool
