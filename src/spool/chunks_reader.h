// Reads a segment of form `chunks`, unpacking only the chunks that are asked for.
#pragma once

#include "base/file.h"
#include "codec/codec.h"
#include "spool/chunks_form.h"
#include "spool/segment_reader.h"

namespace pathspool::spool {

class ChunksReader final : public SegmentReader {
 public:
  ChunksReader(const base::InputFile& file, Section section, SegmentHead head,
               std::uint64_t function_count);

  [[nodiscard]] const SegmentHead& head() const override { return head_; }
  [[nodiscard]] SegmentInfo info() const override;
  [[nodiscard]] std::unique_ptr<SegmentCursor> events(std::uint64_t from) const override;
  [[nodiscard]] trace::FrameStack frames_before(std::uint64_t index) const override;
  void verify() const override;

  [[nodiscard]] Codec codec() const { return form_.codec; }
  // Puts a chunk's coded events into `raw`, which is as long as chunk_raw_bytes says, or made so.
  void unpack(std::size_t chunk, codec::Decompressor& decompressor,
              std::span<std::uint8_t> raw) const;
  void unpack(std::size_t chunk, codec::Decompressor& decompressor, base::Bytes& raw) const {
    raw.resize(chunk_raw_bytes(chunk));
    unpack(chunk, decompressor, std::span(raw));
  }
  [[nodiscard]] std::uint64_t function_count() const { return function_count_; }
  [[nodiscard]] std::uint64_t chunk_offset_bytes(std::size_t chunk) const {
    return section_.blobs[chunk].offset_bytes;
  }
  [[nodiscard]] std::uint64_t chunk_raw_bytes(std::size_t chunk) const {
    return form_.raw_bytes[chunk];
  }

 private:
  const base::InputFile& file_;
  Section section_;
  SegmentHead head_;
  ChunksForm form_;
  std::uint64_t function_count_;
};

}  // namespace pathspool::spool
