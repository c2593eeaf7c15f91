#include "spool/chunks_encoder.h"

#include <algorithm>
#include <utility>

#include "spool/event_encoder.h"

namespace pathspool::spool {
namespace {

constexpr std::size_t kBatchEvents = 4096;
constexpr std::size_t kSmallBytes = std::size_t{64} << 10;

}  // namespace

ChunksEncoder::ChunksEncoder(const ChunksLimits& limits, CompressionPool& pool)
    : limits_(limits), pool_(pool), facts_(trace::FrameStack{}) {
  form_.codec = limits.codec;
}

std::size_t ChunksEncoder::append(std::span<const Event> events) {
  std::size_t taken = 0;
  while (taken < events.size() && (closed_bytes_ < limits_.segment_bytes || empty())) {
    // As many events as fit the chunk, and at least one.
    const std::size_t begin = taken;
    const std::size_t batch =
        std::min<std::uint64_t>({events.size() - taken, kBatchEvents, limits_.chunk_bytes});
    const std::size_t old_bytes = raw_.size();
    // Streams with few events keep a small buffer; a large one takes no more memory than is
    // written.
    if (old_bytes >= kSmallBytes)
      raw_.reserve(limits_.chunk_bytes + kBatchEvents * kLongestEventBytes);
    raw_.resize(old_bytes + batch * kLongestEventBytes);
    std::uint8_t* const base = raw_.data();
    std::uint8_t* out = base + old_bytes;
    bool full = false;
    while (taken < begin + batch) {
      std::uint8_t* const next = encode_event(events[taken], out);
      if (next > base + limits_.chunk_bytes && out > base) {
        full = true;
        break;
      }
      out = next;
      ++taken;
    }
    raw_.resize(static_cast<std::size_t>(out - base));
    facts_.add(events.subspan(begin, taken - begin));
    if (full || raw_.size() >= limits_.chunk_bytes) close_chunk();
  }
  return taken;
}

void ChunksEncoder::close_chunk() {
  facts_.close_chunk();
  form_.raw_bytes.push_back(raw_.size());
  closed_bytes_ += raw_.size();
  raw_.shrink_to_fit();
  tickets_.push_back(pool_.submit(std::exchange(raw_, {}), stored_bytes_));
}

std::uint64_t ChunksEncoder::memory_bytes() const {
  return std::min(raw_.capacity(), raw_.size() + kSmallBytes) + *stored_bytes_ +
         facts_.memory_bytes() + tickets_.size() * (sizeof(tickets_[0]) + sizeof(base::Bytes) + 32);
}

EncodedSegment ChunksEncoder::finish() {
  if (!raw_.empty()) close_chunk();
  pool_.wait();
  EncodedSegment segment;
  segment.facts = facts_.finish();
  segment.form_part = form_.encode();
  segment.blobs.reserve(tickets_.size());
  for (const auto& ticket : tickets_) segment.blobs.push_back(std::move(*ticket));
  tickets_.clear();
  form_.raw_bytes.clear();
  *stored_bytes_ = 0;
  closed_bytes_ = 0;
  return segment;
}

}  // namespace pathspool::spool
