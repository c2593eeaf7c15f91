#include "spool/chunks_reader.h"

#include <algorithm>

#include "pathspool/error.h"
#include "spool/event_decoder.h"

namespace pathspool::spool {
namespace {

constexpr std::size_t kBatchEvents = 4096;

// Decodes chunk after chunk and holds each to its claims.
class ChunksCursor final : public SegmentCursor {
 public:
  ChunksCursor(const ChunksReader& reader, std::size_t chunk, std::uint64_t skip)
      : reader_(reader), chunk_(chunk), decompressor_(reader.codec()), batch_(kBatchEvents) {
    open_chunk();
    while (skip > 0) {
      const std::size_t step = std::min<std::uint64_t>(skip, kBatchEvents);
      decode(step);
      skip -= step;
    }
  }

  std::span<const Event> next() override {
    if (left_ == 0) {
      if (++chunk_ == reader_.head().facts.chunks.size()) return {};
      open_chunk();
    }
    return decode(std::min<std::uint64_t>(left_, kBatchEvents));
  }

 private:
  void open_chunk() {
    reader_.unpack(chunk_, decompressor_, raw_);
    decoder_ = EventDecoder(raw_, reader_.function_count());
    left_ = reader_.head().facts.chunks[chunk_].events;
  }

  std::span<const Event> decode(std::size_t wanted) {
    const std::span<Event> out = std::span(batch_).first(wanted);
    const std::size_t filled = decoder_.next(out);
    left_ -= filled;
    if (filled < wanted || (left_ == 0 && !decoder_.at_end())) {
      throw Error(decoder_.failed() ? "chunk holds malformed events"
                                    : "chunk's event count differs from its head's",
                  reader_.chunk_offset_bytes(chunk_));
    }
    return out;
  }

  const ChunksReader& reader_;
  std::size_t chunk_;
  codec::Decompressor decompressor_;
  base::Bytes raw_;
  EventDecoder decoder_;
  std::uint64_t left_ = 0;
  std::vector<Event> batch_;
};

}  // namespace

ChunksReader::ChunksReader(const base::InputFile& file, Section section, SegmentHead head,
                           std::uint64_t function_count)
    : file_(file),
      section_(std::move(section)),
      head_(std::move(head)),
      function_count_(function_count) {
  base::ByteReader reader(head_.form_part);
  form_ = ChunksForm::decode(reader);
  const std::vector<ChunkFacts>& chunks = head_.facts.chunks;
  bool fits = reader.done() && form_.raw_bytes.size() == chunks.size() &&
              section_.blobs.size() == chunks.size();
  // An event takes at least a byte.
  for (std::size_t i = 0; fits && i < chunks.size(); ++i) {
    fits = chunks[i].events <= form_.raw_bytes[i];
  }
  if (!fits) throw Error("segment's chunks are malformed", section_.ref.head_offset_bytes());
}

SegmentInfo ChunksReader::info() const {
  SegmentInfo info;
  info.codec = form_.codec;
  return info;
}

void ChunksReader::unpack(std::size_t chunk, codec::Decompressor& decompressor,
                          std::span<std::uint8_t> raw) const {
  const base::Bytes stored = read_blob(file_, section_.blobs[chunk]);
  try {
    decompressor.decompress(stored, raw);
  } catch (const Error& error) {
    throw Error(error.what(), section_.blobs[chunk].offset_bytes);
  }
}

std::unique_ptr<SegmentCursor> ChunksReader::events(std::uint64_t from) const {
  const ChunkPlace place = chunk_holding(head_.facts, from);
  return std::make_unique<ChunksCursor>(*this, place.chunk, from - place.first_event);
}

trace::FrameStack ChunksReader::frames_before(std::uint64_t index) const {
  const ChunkPlace place = chunk_holding(head_.facts, index);
  trace::FrameStack frames = head_.facts.frames_before(place.chunk);
  std::uint64_t left = index - place.first_event;
  if (left == 0) return frames;
  ChunksCursor cursor(*this, place.chunk, 0);
  while (left > 0) {
    const std::span<const Event> events = cursor.next();
    const std::size_t step = std::min<std::uint64_t>(left, events.size());
    for (const Event& event : events.first(step)) frames.apply(event);
    left -= step;
  }
  return frames;
}

void ChunksReader::verify() const {
  for (const BlobRef& blob : section_.blobs) static_cast<void>(read_blob(file_, blob));
}

}  // namespace pathspool::spool
