#include "recorder/collector/ring_reader.h"

#include <algorithm>
#include <cstring>

#include "recorder/collector/futex.h"

namespace pathspool::collector {

using wire::Word;

RingReader::RingReader(const Arena& arena, std::uint32_t number)
    : arena_(arena), number_(number), header_(arena.ring(number)) {}

std::uint32_t RingReader::published() const {
  const std::uint32_t claimed = header_.published.load(std::memory_order_acquire);
  if (claimed - drained_ > arena_.shape().chunks_per_ring) broken_ = true;
  return broken_ ? drained_ : claimed;
}

std::optional<std::span<const Word>> RingReader::next(ChunkCopy& copy) {
  if (published() == drained_) return {};
  const std::uint32_t place = drained_ % arena_.shape().chunks_per_ring;
  const std::size_t words = std::min(header_.words[place], wire::kChunkWords);
  const std::span<Word> chunk = arena_.chunk(number_, place).first(words);
  std::memcpy(copy.data(), chunk.data(), chunk.size_bytes());
  std::memset(chunk.data(), 0, chunk.size_bytes());
  // In one order with the writer, which says that it waits and then looks at the count: one of the
  // two sees what the other did.
  header_.drained.store(++drained_, std::memory_order_seq_cst);
  if (header_.writer_waits.load(std::memory_order_seq_cst) != 0) futex_wake_all(header_.drained);
  return std::span(copy).first(words);
}

std::span<const Word> RingReader::peek_rest(ChunkCopy& copy) const {
  if (broken_) return {};
  const std::span<Word> chunk = arena_.chunk(number_, drained_ % arena_.shape().chunks_per_ring);
  std::memcpy(copy.data(), chunk.data(), chunk.size_bytes());
  return {copy.begin(), std::ranges::find(copy, Word{0})};
}

std::span<const Word> RingReader::rest(ChunkCopy& copy) {
  const std::span<const Word> words = peek_rest(copy);
  const std::span<Word> chunk = arena_.chunk(number_, drained_ % arena_.shape().chunks_per_ring);
  // Whatever lies beyond the first zero was written by nobody we know, but the next one to have the
  // ring must find zeros.
  std::memset(chunk.data(), 0, broken_ ? chunk.size_bytes() : words.size_bytes());
  return words;
}

void RingReader::free() {
  constexpr std::uint32_t kKeptChunks = 2;  // so that threads that come and go cost no page faults
  if (broken_) {
    for (std::uint32_t place = 0; place < arena_.shape().chunks_per_ring; ++place) {
      const std::span<Word> chunk = arena_.chunk(number_, place);
      std::memset(chunk.data(), 0, chunk.size_bytes());
    }
  }
  if (broken_ || drained_ >= kKeptChunks) arena_.forget_chunks(number_, kKeptChunks);
  reset_ring(header_);
}

void reset_ring(wire::RingHeader& header) {
  header.process = wire::kNoRing;
  header.serial = 0;
  header.kind = wire::RingKind::thread;
  header.pid = 0;
  header.tid = 0;
  header.signal_level = 0;
  header.parent_serial = wire::kNoRing;
  header.fork_token = 0;
  std::memset(header.name, 0, sizeof header.name);
  header.published.store(0);
  header.drained.store(0);
  header.writer_waits.store(0);
  header.state.store(static_cast<std::uint32_t>(wire::RingState::free), std::memory_order_release);
}

}  // namespace pathspool::collector
