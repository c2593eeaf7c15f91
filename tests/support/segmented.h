// Spools with segments as short as a test wants them: SpoolWriter cuts only where the memory ends.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "spool/chunks_encoder.h"
#include "spool/contents.h"
#include "spool/function_list.h"
#include "spool/grammar_segment_encoder.h"
#include "spool/section.h"
#include "spool/segment_head.h"
#include "spool/tables.h"
#include "support/recording.h"

namespace pathspool::testing {

class SegmentedFile {
 public:
  explicit SegmentedFile(const std::filesystem::path& path) : file_(path) {
    file_.write(spool::encode_file_header());
  }
  void add(const spool::SectionDraft& draft, std::optional<spool::SegmentEntry> segment = {}) {
    entries_.push_back({spool::write_section(file_, draft), segment});
  }
  void add_tables(const Recording& recording) {
    add(spool::draft_metadata(recording.metadata));
    FunctionTable functions;
    for (const Function& function : recording.functions) functions.add(function);
    add(spool::draft_functions(functions, 0).section);
    std::vector<StreamInfo> streams;
    for (const RecordedStream& stream : recording.streams) {
      streams.push_back({stream.id, stream.title, stream.parent, 0});
    }
    add(spool::draft_streams(streams));
    if (!recording.notes.empty()) add(spool::draft_notes(recording.notes));
  }
  void add_segment(StreamId stream, std::uint64_t first_event, const PackOptions& options,
                   spool::EncodedSegment encoded) {
    spool::SegmentHead head;
    head.stream = stream;
    head.form = options.form;
    head.first_event = first_event;
    head.events = encoded.facts.events();
    head.facts = std::move(encoded.facts);
    if (!options.index) head.facts.index.reset();
    head.form_part = std::move(encoded.form_part);
    add({spool::kSegmentSection, spool::encode_segment_head(head), std::move(encoded.blobs)},
        spool::SegmentEntry{stream, first_event, head.events});
  }
  void finish() {
    const spool::SectionRef table = spool::write_section(file_, spool::draft_contents(entries_));
    file_.write(spool::encode_footer(table.offset_bytes));
    file_.commit();
  }

 private:
  base::AtomicFile file_;
  std::vector<spool::SectionEntry> entries_;
};

// Each stream is cut every `segment_events`; the segments of the streams come in turn.
inline void write_segmented(const std::filesystem::path& path, const Recording& recording,
                            const PackOptions& options, std::size_t segment_events,
                            const grammar::EncodeLimits& grammar_limits = {}) {
  SegmentedFile file(path);
  file.add_tables(recording);
  std::optional<spool::CompressionPool> pool;
  if (options.form == Form::chunks) {
    pool.emplace(options.codec, std::max<std::uint64_t>(options.chunk_bytes.value_or(4U << 20), 64),
                 std::uint64_t{1} << 30);
  }
  std::vector<std::unique_ptr<spool::SegmentEncoder>> encoders;
  for (std::size_t i = 0; i < recording.streams.size(); ++i) {
    if (pool) {
      spool::ChunksLimits limits;
      limits.codec = options.codec;
      limits.chunk_bytes = options.chunk_bytes.value_or(limits.chunk_bytes);
      encoders.push_back(std::make_unique<spool::ChunksEncoder>(limits, *pool));
    } else {
      encoders.push_back(std::make_unique<spool::GrammarSegmentEncoder>(
          options.symbols, std::uint64_t{1} << 30, grammar_limits));
    }
  }
  bool more = true;
  for (std::size_t at = 0; more; at += segment_events) {
    more = false;
    for (std::size_t i = 0; i < encoders.size(); ++i) {
      const RecordedStream& stream = recording.streams[i];
      if (at >= stream.events.size()) continue;
      const std::size_t count = std::min(segment_events, stream.events.size() - at);
      encoders[i]->append(std::span(stream.events).subspan(at, count));
      file.add_segment(stream.id, at, options, encoders[i]->finish());
      more = true;
    }
  }
  file.finish();
}

}  // namespace pathspool::testing
