// SpoolWriter: streams of events to segments, segments to a file.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "base/file.h"
#include "pathspool/error.h"
#include "pathspool/pack.h"
#include "spool/chunks_encoder.h"
#include "spool/contents.h"
#include "spool/event_coding.h"
#include "spool/function_list.h"
#include "spool/grammar_segment_encoder.h"
#include "spool/section.h"
#include "spool/segment_head.h"
#include "spool/tables.h"

namespace pathspool {
namespace {

void refuse_bad(const PackOptions& options) {
  if (options.form == Form::bits) {
    throw Error(
        "form bits needs the control-flow graphs of a bits recording, which this input lacks");
  }
  if (options.form == Form::columns) throw Error("this version cannot write form columns");
  if (options.chunk_bytes &&
      (*options.chunk_bytes == 0 || *options.chunk_bytes > kLargestChunkBytes)) {
    throw Error(fmt::format("a chunk has from 1 byte to {}M", kLargestChunkBytes >> 20));
  }
  if (options.memory_bytes < kLeastMemoryBytes) {
    throw Error(fmt::format("packing needs at least {}M of memory", kLeastMemoryBytes >> 20));
  }
}

constexpr std::uint64_t kUsualChunkBytes = 4U << 20;
constexpr std::uint64_t kManyNotesBytes = 1U << 20;
constexpr std::uint64_t kSmallestUsualChunkBytes = 64U << 10;

// What a program takes before it packs anything: code, libraries, buffers.
constexpr std::uint64_t kFixedMemoryBytes = 8U << 20;

}  // namespace

class SpoolWriter::Impl {
 public:
  Impl(const std::filesystem::path& path, const PackOptions& options, const Metadata& metadata)
      : options_((refuse_bad(options), options)) {
    const std::uint64_t usable_bytes = options.memory_bytes - kFixedMemoryBytes;
    if (options.form == Form::chunks) {
      make_pool(usable_bytes / 2);
      encoders_budget_bytes_ = usable_bytes / 4;
    } else {
      encoders_budget_bytes_ = usable_bytes / 9 * 4;
    }
    if (options.in_place) {
      file_ = std::make_unique<base::InPlaceFile>(path);
    } else {
      file_ = std::make_unique<base::AtomicFile>(path);
    }
    file_->write(spool::encode_file_header());
    write(spool::draft_metadata(metadata));
  }

  FunctionTable& functions() { return functions_; }

  void open_stream(StreamId id, std::string title, std::optional<StreamId> parent) {
    Stream& stream = stream_of(id);
    if (stream.events > 0) return;
    if (!title.empty()) stream.info.title = std::move(title);
    if (parent) stream.info.parent = parent;
  }

  void append(StreamId id, std::span<const Event> events) {
    refuse_bad_events(events);
    if (stream_of(id).encoder == nullptr) throw Error("an event follows the end of its stream");
    guarded([&] {
      Stream& stream = stream_of(id);
      while (!events.empty()) {
        const std::size_t taken = stream.encoder->append(events);
        stream.events += taken;
        events = events.subspan(taken);
        if (!events.empty()) close_segment(stream);
      }
      count_held(stream);
      if (held_bytes_ > encoders_budget_bytes_) close_some();
    });
  }

  void cut(StreamId id) {
    const auto stream = streams_.find(id);
    if (stream == streams_.end()) return;
    guarded([&] {
      if (has_events(stream->second)) close_segment(stream->second);
    });
  }

  void note(Note note) {
    notes_bytes_ += sizeof note + note.text.size();
    notes_.push_back(std::move(note));
    // A program that does nothing but make marks must not fill the memory.
    if (notes_bytes_ > kManyNotesBytes && !failed_) guarded([this] { write_notes(); });
  }

  void end(StreamId id) {
    const auto stream = streams_.find(id);
    if (stream == streams_.end() || stream->second.encoder == nullptr) return;
    cut(id);
    held_bytes_ -= stream->second.held_bytes;
    stream->second.held_bytes = 0;
    stream->second.encoder.reset();
  }

  void finish() {
    if (!failed_) {
      guarded([this] {
        for (auto& [id, stream] : streams_) {
          if (has_events(stream)) close_segment(stream);
        }
      });
    } else if (!options_.in_place) {
      throw OutputError(*failed_);
    }
    if (!table_) {
      write_new_functions();
      write_streams();
      write_notes();
      table_ = spool::write_section(*file_, spool::draft_contents(entries_));
    }
    file_->write(spool::encode_footer(table_->offset_bytes));
    file_->commit();
  }

 private:
  struct Stream {
    StreamInfo info;
    bool written = false;                            // its name is in the file
    std::uint64_t events = 0;                        // appended
    std::uint64_t stored_events = 0;                 // in closed segments
    std::uint64_t held_bytes = 0;                    // when it was last appended to
    std::unique_ptr<spool::SegmentEncoder> encoder;  // null: the stream has ended
  };

  static bool has_events(const Stream& stream) {
    return stream.encoder != nullptr && !stream.encoder->empty();
  }

  Stream& stream_of(StreamId id) {
    const auto [at, is_new] = streams_.try_emplace(id);
    if (is_new) {
      at->second.info.id = id;
      at->second.encoder = make_encoder();
    }
    return at->second;
  }

  std::unique_ptr<spool::SegmentEncoder> make_encoder() {
    if (options_.form == Form::grammar) {
      return std::make_unique<spool::GrammarSegmentEncoder>(options_.symbols,
                                                            encoders_budget_bytes_);
    }
    spool::ChunksLimits limits;
    limits.codec = options_.codec;
    limits.chunk_bytes = chunk_bytes_;
    return std::make_unique<spool::ChunksEncoder>(limits, *pool_);
  }

  void make_pool(std::uint64_t memory_bytes) {
    chunk_bytes_ = options_.chunk_bytes.value_or(kUsualChunkBytes);
    // A chunk holds an event at least, however small it is meant to be.
    const auto largest_bytes = [this] {
      return std::max<std::uint64_t>(chunk_bytes_, spool::kLongestEventBytes);
    };
    const auto fits = [&] {
      return spool::CompressionPool::bytes_for_one(options_.codec, largest_bytes()) <= memory_bytes;
    };
    while (!options_.chunk_bytes && !fits() && chunk_bytes_ > kSmallestUsualChunkBytes) {
      chunk_bytes_ /= 2;
    }
    if (!fits()) {
      throw Error(fmt::format("chunks of {} bytes under {} do not fit the memory allowed",
                              chunk_bytes_, name_of(options_.codec)));
    }
    pool_.emplace(options_.codec, largest_bytes(), memory_bytes);
  }

  // One pass without branches, in strides that compilers turn into vector instructions: half a
  // nanosecond an event.
  void refuse_bad_events(std::span<const Event> events) const {
    constexpr std::size_t kStride = 8;
    const auto functions = static_cast<std::uint32_t>(functions_.size());
    const auto is_bad = [functions](const Event& event) {
      return (static_cast<std::uint32_t>(event.kind == EventKind::enter) &
              static_cast<std::uint32_t>(event.id >= functions)) |
             (static_cast<std::uint32_t>(event.kind == EventKind::block) &
              static_cast<std::uint32_t>(event.id == 0));
    };
    std::array<std::uint32_t, kStride> bad{};
    const std::size_t strided = events.size() - events.size() % kStride;
    for (std::size_t at = 0; at < strided; at += kStride) {
      for (std::size_t i = 0; i < kStride; ++i) bad[i] |= is_bad(events[at + i]);
    }
    for (const Event& event : events.subspan(strided)) bad[0] |= is_bad(event);
    if (std::ranges::all_of(bad, [](std::uint32_t flag) { return flag == 0; })) return;
    const bool block_0 = std::ranges::find(events, Event::block(BlockId{0})) != events.end();
    throw Error(block_0 ? "block ids start at 1"
                        : "an event enters a function that is not in the table");
  }

  void count_held(Stream& stream) {
    held_bytes_ -= stream.held_bytes;
    stream.held_bytes = stream.encoder->memory_bytes();
    held_bytes_ += stream.held_bytes;
  }

  // After a failure some events are lost, so no more can follow them.
  template <typename Action>
  void guarded(const Action& action) {
    if (failed_) throw OutputError(*failed_);
    try {
      action();
    } catch (const std::exception& error) {
      failed_ = error.what();
      throw;
    }
  }

  // The largest first, and a few more than needed, so that the next look is not at once.
  void close_some() {
    while (held_bytes_ > encoders_budget_bytes_ / 4 * 3) {
      Stream* largest = nullptr;
      for (auto& [id, stream] : streams_) {
        if (!has_events(stream)) continue;
        if (largest == nullptr || stream.held_bytes > largest->held_bytes) largest = &stream;
      }
      if (largest == nullptr) return;
      close_segment(*largest);
    }
  }

  void close_segment(Stream& stream) {
    spool::EncodedSegment encoded = stream.encoder->finish();
    count_held(stream);
    write_new_functions();
    write_stream(stream);
    write_notes();
    spool::SegmentHead head;
    head.stream = stream.info.id;
    head.form = options_.form;
    head.first_event = stream.stored_events;
    head.events = encoded.facts.events();
    head.facts = std::move(encoded.facts);
    if (!options_.index) head.facts.index.reset();
    head.form_part = std::move(encoded.form_part);
    write({spool::kSegmentSection, spool::encode_segment_head(head), std::move(encoded.blobs)},
          spool::SegmentEntry{head.stream, head.first_event, head.events});
    stream.stored_events += head.events;
  }

  // A segment comes after everything that it refers to, so that a file cut off after it is
  // readable.
  void write_new_functions() {
    while (functions_written_ < functions_.size()) {
      const spool::FunctionsDraft draft = spool::draft_functions(functions_, functions_written_);
      write(draft.section);
      functions_written_ = draft.end;
    }
  }

  // Once, as late as can be: until then it may still be named.
  void write_stream(Stream& stream) {
    if (stream.written) return;
    write(spool::draft_streams({stream.info}));
    stream.written = true;
  }

  // Those that have no events.
  void write_streams() {
    std::vector<StreamInfo> fresh;
    for (const auto& [id, stream] : streams_) {
      if (!stream.written) fresh.push_back(stream.info);
    }
    if (fresh.empty()) return;
    write(spool::draft_streams(fresh));
    for (const StreamInfo& info : fresh) streams_.find(info.id)->second.written = true;
  }

  void write_notes() {
    if (notes_.empty()) return;
    write(spool::draft_notes(notes_));
    notes_.clear();
    notes_bytes_ = 0;
  }

  void write(const spool::SectionDraft& draft, std::optional<spool::SegmentEntry> segment = {}) {
    entries_.push_back({spool::write_section(*file_, draft), segment});
  }

  PackOptions options_;
  std::unique_ptr<base::OutputFile> file_;
  FunctionTable functions_;
  std::size_t functions_written_ = 0;
  std::uint64_t chunk_bytes_ = 0;
  std::optional<spool::CompressionPool> pool_;
  std::uint64_t encoders_budget_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;  // by all encoders
  std::map<StreamId, Stream> streams_;
  std::vector<Note> notes_;  // that are not in the file so far
  std::uint64_t notes_bytes_ = 0;
  std::vector<spool::SectionEntry> entries_;
  std::optional<spool::SectionRef> table_;  // of contents, once it is written
  std::optional<std::string> failed_;       // why
};

SpoolWriter::SpoolWriter(const std::filesystem::path& path, const PackOptions& options,
                         const Metadata& metadata)
    : impl_(std::make_unique<Impl>(path, options, metadata)) {}
SpoolWriter::~SpoolWriter() = default;

FunctionTable& SpoolWriter::functions() { return impl_->functions(); }
void SpoolWriter::open_stream(StreamId stream, std::string title, std::optional<StreamId> parent) {
  impl_->open_stream(stream, std::move(title), parent);
}
void SpoolWriter::append(StreamId stream, std::span<const Event> events) {
  impl_->append(stream, events);
}
void SpoolWriter::cut(StreamId stream) { impl_->cut(stream); }
void SpoolWriter::end(StreamId stream) { impl_->end(stream); }
void SpoolWriter::note(Note note) { impl_->note(std::move(note)); }
void SpoolWriter::finish() { impl_->finish(); }

}  // namespace pathspool
