#include "pathspool/spool.h"

#include <algorithm>
#include <map>

#include "pathspool/error.h"
#include "spool/function_list.h"
#include "spool/grammar_segment_reader.h"
#include "spool/spool_impl.h"
#include "spool/tables.h"

namespace pathspool {

std::string_view name_of(Form form) {
  switch (form) {
    case Form::chunks:
      return "chunks";
    case Form::grammar:
      return "grammar";
    case Form::bits:
      return "bits";
    case Form::columns:
      return "columns";
  }
  return "unknown";
}

std::string_view name_of(Codec codec) {
  switch (codec) {
    case Codec::gzip:
      return "gzip";
    case Codec::bzip2:
      return "bzip2";
    case Codec::zstd:
      return "zstd";
    case Codec::xz:
      return "xz";
  }
  return "unknown";
}

std::string_view name_of(Symbols symbols) {
  return symbols == Symbols::blocks ? "blocks" : "segments";
}

std::string_view name_of(NoteKind kind) { return kind == NoteKind::mark ? "mark" : "warning"; }

// Opening.

Spool::Impl::Impl(const std::filesystem::path& path) : file_(path) {
  contents_ = spool::read_contents(file_);
  if (contents_.damage) throw Error(contents_.damage->what, contents_.damage->offset_bytes);
  read_tables();
  list_segments();
}

Spool::Impl::Impl(base::InputFile file, spool::Contents contents)
    : file_(std::move(file)), contents_(std::move(contents)) {
  read_tables();
  list_segments();
}

void Spool::Impl::read_tables() {
  for (const spool::SectionEntry& entry : contents_.entries) {
    if (entry.ref.type == spool::kMetadataSection) {
      spool::read_metadata(spool::read_section(file_, entry.ref), metadata_);
    } else if (entry.ref.type == spool::kFunctionsSection) {
      spool::read_functions(spool::read_section(file_, entry.ref), functions_);
    } else if (entry.ref.type == spool::kStreamsSection) {
      spool::read_streams(spool::read_section(file_, entry.ref), streams_);
    } else if (entry.ref.type == spool::kNotesSection) {
      spool::read_notes(spool::read_section(file_, entry.ref), notes_);
    }
  }
  spool::sort_streams(streams_);
}

void Spool::Impl::list_segments() {
  segments_by_stream_.resize(streams_.size());
  for (const spool::SectionEntry& entry : contents_.entries) {
    if (!entry.segment) continue;
    const auto stream =
        std::ranges::lower_bound(streams_, entry.segment->stream, {}, &StreamInfo::id);
    if (stream == streams_.end() || stream->id != entry.segment->stream) {
      throw Error("segment belongs to a stream that is not in the file", entry.ref.offset_bytes);
    }
    if (entry.segment->first_event != stream->events ||
        entry.segment->events > Spool::kToTheEnd / 2 - stream->events) {
      throw Error("segment does not go on where the one before it ended", entry.ref.offset_bytes);
    }
    stream->events += entry.segment->events;
    segments_by_stream_[static_cast<std::size_t>(stream - streams_.begin())].push_back(
        segment_entries_.size());
    segment_entries_.push_back(&entry);
  }
}

Spool::Impl::Reader Spool::Impl::segment(std::size_t segment) const {
  const auto found = std::ranges::find(kept_, segment, &Kept::segment);
  if (found != kept_.end()) {
    std::rotate(found, found + 1, kept_.end());
    return kept_.back().reader;
  }
  spool::Section section = spool::read_section(file_, segment_ref(segment));
  if (spool::segment_entry(section) != segment_entry(segment)) {
    throw Error("segment differs from the table of contents", segment_ref(segment).offset_bytes);
  }
  Reader reader = spool::open_segment(file_, std::move(section), functions_.size());
  // A reader of chunks holds little more than their facts.
  const bool is_light = reader->head().form == Form::chunks;
  const auto is_alike = [is_light](const Kept& kept) {
    return (kept.reader->head().form == Form::chunks) == is_light;
  };
  const std::ptrdiff_t most_kept = is_light ? 64 : 2;
  if (std::ranges::count_if(kept_, is_alike) == most_kept) {
    kept_.erase(std::ranges::find_if(kept_, is_alike));
  }
  kept_.push_back({segment, reader});
  return reader;
}

const std::vector<std::size_t>& Spool::Impl::segments_of(StreamId stream) const {
  static const std::vector<std::size_t> none;
  const auto at = std::ranges::lower_bound(streams_, stream, {}, &StreamInfo::id);
  if (at == streams_.end() || at->id != stream) return none;
  return segments_by_stream_[static_cast<std::size_t>(at - streams_.begin())];
}

Spool::Spool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Spool::~Spool() = default;
Spool::Spool(Spool&&) noexcept = default;
Spool& Spool::operator=(Spool&&) noexcept = default;

Spool Spool::open(const std::filesystem::path& path) { return Spool(std::make_unique<Impl>(path)); }

const Metadata& Spool::metadata() const { return impl_->metadata(); }
const FunctionTable& Spool::functions() const { return impl_->functions(); }
std::span<const StreamInfo> Spool::streams() const { return impl_->streams(); }
std::span<const Note> Spool::notes() const { return impl_->notes(); }
std::optional<Truncation> Spool::truncation() const { return impl_->contents().truncation; }

// Events.

class EventCursor::Source {
 public:
  Source(const Spool::Impl& spool, const std::vector<std::size_t>& segments, std::uint64_t from,
         std::uint64_t to)
      : spool_(spool), segments_(segments), index_(from), to_(to) {
    while (at_ < segments_.size() && end_of(at_) <= from) ++at_;
  }

  std::span<const Event> next() {
    while (at_ < segments_.size() && index_ < to_) {
      const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at_]);
      if (!cursor_) {
        reader_ = spool_.segment(segments_[at_]);
        cursor_ = reader_->events(index_ - entry.first_event);
      }
      std::span<const Event> events = cursor_->next();
      if (events.empty()) {
        cursor_.reset();
        ++at_;
        continue;
      }
      events = events.first(std::min<std::uint64_t>(events.size(), to_ - index_));
      index_ += events.size();
      return events;
    }
    return {};
  }

  // Of the event after the ones given last.
  [[nodiscard]] std::uint64_t index() const { return index_; }

 private:
  [[nodiscard]] std::uint64_t end_of(std::size_t at) const {
    const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at]);
    return entry.first_event + entry.events;
  }

  const Spool::Impl& spool_;
  const std::vector<std::size_t>& segments_;
  std::uint64_t index_;
  std::uint64_t to_;
  std::size_t at_ = 0;
  Spool::Impl::Reader reader_;  // outlives its cursor
  std::unique_ptr<spool::SegmentCursor> cursor_;
};

EventCursor::EventCursor(std::unique_ptr<Source> source) : source_(std::move(source)) {}
EventCursor::~EventCursor() = default;
EventCursor::EventCursor(EventCursor&&) noexcept = default;
EventCursor& EventCursor::operator=(EventCursor&&) noexcept = default;

bool EventCursor::next() {
  batch_ = source_->next();
  index_ = source_->index() - batch_.size();
  return !batch_.empty();
}

EventCursor Spool::events(StreamId stream, std::uint64_t from, std::uint64_t to) const& {
  return EventCursor(
      std::make_unique<EventCursor::Source>(*impl_, impl_->segments_of(stream), from, to));
}

std::vector<FunctionId> Spool::open_frames(Position position) const {
  const std::vector<std::size_t>& segments = impl_->segments_of(position.stream);
  for (const std::size_t segment : segments) {
    const spool::SegmentEntry& entry = impl_->segment_entry(segment);
    if (position.index - entry.first_event < entry.events) {
      return impl_->segment(segment)->frames_before(position.index - entry.first_event).known();
    }
  }
  if (segments.empty()) return {};
  const Impl::Reader last = impl_->segment(segments.back());
  const spool::SegmentFacts& facts = last->head().facts;
  return facts.frames_before(facts.chunks.size()).known();
}

// Facts.

namespace {

std::string shown_name(spool::SectionType type) {
  if (type == spool::kMetadataSection) return "metadata";
  if (type == spool::kFunctionsSection) return "functions";
  if (type == spool::kStreamsSection) return "streams";
  if (type == spool::kNotesSection) return "notes";
  if (type == spool::kSegmentSection) return "segments";
  if (type == spool::kContentsSection) return "contents";
  return spool::name_of(type);
}

}  // namespace

SpoolInfo Spool::info() const {
  SpoolInfo info;
  info.file_bytes = impl_->file().size_bytes();
  info.functions_listed = functions().size();
  info.streams.assign(streams().begin(), streams().end());
  for (const StreamInfo& stream : info.streams) info.events += stream.events;
  info.ratio = 4.0 * static_cast<double>(info.events) / static_cast<double>(info.file_bytes);
  info.truncation = truncation();

  info.notes.assign(notes().begin(), notes().end());

  info.segments_ran.resize(functions().size());
  for (std::size_t i = 0; i < impl_->segment_count(); ++i) {
    const Impl::Reader reader = impl_->segment(i);
    const spool::SegmentHead& head = reader->head();
    SegmentInfo segment = reader->info();
    segment.stream = head.stream;
    segment.form = head.form;
    segment.first_event = head.first_event;
    segment.events = head.events;
    segment.chunks = head.facts.chunks.size();
    segment.indexed = head.facts.index.has_value();
    segment.offset_bytes = impl_->segment_ref(i).offset_bytes;
    segment.stored_bytes = impl_->segment_ref(i).total_bytes();
    segment.index_bytes = head.index_bytes;
    info.index_bytes += head.index_bytes;
    info.segments.push_back(segment);
    for (const FunctionId function : head.facts.functions) {
      ++info.segments_ran[static_cast<std::size_t>(function)];
    }
    if (head.facts.deepest) {
      info.deepest_level =
          std::max(info.deepest_level.value_or(*head.facts.deepest), *head.facts.deepest);
    }
  }
  info.functions_ran =
      info.functions_listed - static_cast<std::uint64_t>(std::ranges::count(info.segments_ran, 0U));

  std::map<std::string, SectionSize> sizes;
  const auto count = [&sizes](const spool::SectionRef& ref) {
    SectionSize& size = sizes[shown_name(ref.type)];
    ++size.count;
    size.bytes += ref.total_bytes();
  };
  for (const spool::SectionEntry& entry : impl_->contents().entries) count(entry.ref);
  if (impl_->contents().table) count(*impl_->contents().table);
  std::uint64_t rest = info.file_bytes;
  for (auto& [name, size] : sizes) {
    size.name = name;
    rest -= size.bytes;
    info.sections.push_back(size);
  }
  info.sections.push_back(
      {"rest", 1, rest});  // file header, footer, what a truncation left unusable
  return info;
}

void Spool::visit_rules(std::size_t segment, const RuleVisitor& visitor) const {
  if (segment >= impl_->segment_count()) throw Error("there is no such segment");
  const Impl::Reader reader = impl_->segment(segment);
  const auto* grammar = dynamic_cast<const spool::GrammarSegmentReader*>(reader.get());
  if (grammar == nullptr) throw Error("segment is not stored as a grammar");
  grammar->visit_rules(visitor);
}

}  // namespace pathspool
