// Spool::Impl: an open file and the readers of its segments.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/file.h"
#include "pathspool/spool.h"
#include "spool/chunk_cache.h"
#include "spool/contents.h"
#include "spool/segment_reader.h"

namespace pathspool {

class Spool::Impl {
 public:
  explicit Impl(const std::filesystem::path& path);
  // For `check`, which reads the contents its own way.
  Impl(base::InputFile file, spool::Contents contents);

  [[nodiscard]] const base::InputFile& file() const { return file_; }
  [[nodiscard]] const spool::Contents& contents() const { return contents_; }
  [[nodiscard]] const Metadata& metadata() const { return metadata_; }
  [[nodiscard]] const FunctionTable& functions() const { return functions_; }
  [[nodiscard]] const std::vector<StreamInfo>& streams() const { return streams_; }

  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }

  // Segments by their order in the file.
  [[nodiscard]] std::size_t segment_count() const { return segment_entries_.size(); }
  [[nodiscard]] const spool::SegmentEntry& segment_entry(std::size_t segment) const {
    return *segment_entries_[segment]->segment;
  }
  [[nodiscard]] const spool::SectionRef& segment_ref(std::size_t segment) const {
    return segment_entries_[segment]->ref;
  }
  // The readers used last are kept, since one may hold a decoded grammar; the others are made anew.
  using Reader = std::shared_ptr<const spool::SegmentReader>;
  [[nodiscard]] Reader segment(std::size_t segment) const;
  // Chunks that searches have unpacked.
  [[nodiscard]] spool::ChunkCache& unpacked_chunks() const { return unpacked_chunks_; }

  // The stream's segments in order of their events; none if there is no such stream.
  [[nodiscard]] const std::vector<std::size_t>& segments_of(StreamId stream) const;

 private:
  void read_tables();
  void list_segments();

  base::InputFile file_;
  spool::Contents contents_;
  Metadata metadata_;
  FunctionTable functions_;
  std::vector<StreamInfo> streams_;
  std::vector<Note> notes_;
  std::vector<std::vector<std::size_t>> segments_by_stream_;  // as streams_
  std::vector<const spool::SectionEntry*> segment_entries_;
  struct Kept {
    std::size_t segment = 0;
    Reader reader;
  };
  mutable std::vector<Kept> kept_;  // latest last
  mutable spool::ChunkCache unpacked_chunks_;
};

}  // namespace pathspool
