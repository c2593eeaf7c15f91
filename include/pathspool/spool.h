// Reading a spool: the recording of one run, in one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/event.h"
#include "pathspool/function_table.h"

namespace pathspool {

// How a segment is stored. The numbers are the file's.
enum class Form : std::uint8_t { chunks = 1, grammar = 2, bits = 3, columns = 4 };
enum class Codec : std::uint8_t { gzip = 1, bzip2 = 2, zstd = 3, xz = 4 };
// What SEQUITUR is fed: single events (the papers' alphabet), or acyclic runs of them.
enum class Symbols : std::uint8_t { blocks = 1, segments = 2 };

[[nodiscard]] std::string_view name_of(Form form);
[[nodiscard]] std::string_view name_of(Codec codec);
[[nodiscard]] std::string_view name_of(Symbols symbols);

// What is known of the run. Strings are empty where nothing is known: a trace that came from text
// has only the tool's version.
struct Metadata {
  std::string program;
  std::vector<std::string> arguments;
  std::string build_id;
  std::string host;
  std::string time;  // when the run began, ISO 8601 in UTC
  std::string tool_version;
  std::string mode;  // of the recorder: "blocks"

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

struct StreamInfo {
  StreamId id{};
  std::string title;
  std::optional<StreamId> parent;  // the stream that forked this one
  std::uint64_t events = 0;        // in complete segments
};

// What a program or its recorder had to say at a place in a stream: `mark` is the program's own
// word, `warning` tells what the recording lacks from there on. The numbers are the file's.
enum class NoteKind : std::uint8_t { mark = 1, warning = 2 };

[[nodiscard]] std::string_view name_of(NoteKind kind);

struct Note {
  Position position;  // before this event, which the file need not hold
  NoteKind kind = NoteKind::mark;
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

struct SegmentInfo {
  StreamId stream{};
  Form form{};
  std::optional<Codec> codec;      // of chunks
  std::optional<Symbols> symbols;  // of grammar
  std::uint64_t first_event = 0;
  std::uint64_t events = 0;
  std::uint64_t chunks = 0;  // compressed chunks, or chunks of the start rule
  bool indexed = false;
  std::uint64_t offset_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t index_bytes = 0;
};

// A file that ends early: what came before is as good as ever.
struct Truncation {
  std::uint64_t complete_bytes = 0;  // up to the end of the last complete section
  std::uint64_t unusable_bytes = 0;  // after that
  std::uint64_t missing_bytes = 0;   // at least so many more were written or meant to be
};

struct SectionSize {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

struct SpoolInfo {
  std::uint64_t file_bytes = 0;
  std::uint64_t events = 0;
  std::uint64_t functions_listed = 0;
  std::uint64_t functions_ran = 0;
  std::optional<std::int64_t> deepest_level;  // none if no function was entered
  std::vector<std::uint64_t> segments_ran;    // by function: in how many segments it has an event
  std::vector<StreamInfo> streams;
  std::vector<Note> notes;
  std::vector<SegmentInfo> segments;
  std::vector<SectionSize> sections;  // their bytes add up to file_bytes
  std::uint64_t index_bytes = 0;
  double ratio = 0;  // 4 x events / file_bytes
  std::optional<Truncation> truncation;
};

// Walks the events of one stream, a batch at a time. Must not outlive its Spool.
class EventCursor {
 public:
  class Source;  // how a form yields its events; internal
  explicit EventCursor(std::unique_ptr<Source> source);
  ~EventCursor();
  EventCursor(EventCursor&&) noexcept;
  EventCursor& operator=(EventCursor&&) noexcept;

  // Moves to the next batch, which is never empty; false at the end. Throws Error at corruption.
  bool next();
  [[nodiscard]] std::span<const Event> batch() const { return batch_; }
  // The index in the stream of the batch's first event.
  [[nodiscard]] std::uint64_t index() const { return index_; }

  // One event at a time, for `for (const Event& event : cursor)`.
  class Iterator {
   public:
    using value_type = Event;
    using difference_type = std::ptrdiff_t;
    explicit Iterator(EventCursor* cursor) : cursor_(cursor) { refill(); }
    const Event& operator*() const { return cursor_->batch_[at_]; }
    Iterator& operator++() {
      if (++at_ == cursor_->batch_.size()) refill();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.ended_; }

   private:
    void refill() {
      at_ = 0;
      ended_ = !cursor_->next();
    }
    EventCursor* cursor_;
    std::size_t at_ = 0;
    bool ended_ = false;
  };
  [[nodiscard]] Iterator begin() { return Iterator(this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  std::unique_ptr<Source> source_;
  std::span<const Event> batch_;
  std::uint64_t index_ = 0;
};

// One item on a rule's right-hand side: an event, or another rule by its printed number.
struct RuleItem {
  bool is_rule = false;
  std::uint32_t rule = 0;
  Event event;
};

// An open file. One object is used by one thread at a time; open the file again for another.
class Spool {
 public:
  // Reads the table of contents and the function table; costs milliseconds however large the file
  // is.
  [[nodiscard]] static Spool open(const std::filesystem::path& path);
  ~Spool();
  Spool(Spool&&) noexcept;
  Spool& operator=(Spool&&) noexcept;

  [[nodiscard]] const Metadata& metadata() const;
  [[nodiscard]] const FunctionTable& functions() const;
  [[nodiscard]] std::span<const StreamInfo> streams() const;  // by rising id
  [[nodiscard]] std::span<const Note> notes() const;          // in the order they were made
  [[nodiscard]] std::optional<Truncation> truncation() const;

  // Reads the head of every segment.
  [[nodiscard]] SpoolInfo info() const;

  static constexpr std::uint64_t kToTheEnd = std::numeric_limits<std::uint64_t>::max();
  // The stream's events from index `from` up to `to`, exclusive. A position past the end is no
  // error.
  [[nodiscard]] EventCursor events(StreamId stream, std::uint64_t from = 0,
                                   std::uint64_t to = kToTheEnd) const&;
  EventCursor events(StreamId, std::uint64_t = 0, std::uint64_t = kToTheEnd) const&& = delete;

  // The functions of the frames open just before the event at this position, outermost first. Costs
  // by the depth of the position's grammar or chunk and by the number of frames, not by the
  // position.
  [[nodiscard]] std::vector<FunctionId> open_frames(Position position) const;

  // Every rule of a grammar segment in the papers' order: S is rule 0, the others are numbered in
  // order of first use, left to right, depth first. Throws Error if the segment has another form.
  using RuleVisitor = std::function<void(std::uint32_t rule, std::span<const RuleItem> body)>;
  void visit_rules(std::size_t segment, const RuleVisitor& visitor) const;

  // For what is built on this library inside the project.
  class Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  explicit Spool(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Bytes or events done so far, of how many (0 if unknown).
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct Problem {
  std::string what;
  std::uint64_t offset_bytes = 0;
};

// What `check` found. A file is intact if it is not truncated and has no problem.
struct CheckReport {
  std::uint64_t file_bytes = 0;
  std::uint64_t events = 0;    // in the segments that can be read
  std::uint64_t segments = 0;  // that can be read
  std::uint64_t damaged_segments = 0;
  std::uint64_t unexpanded_segments = 0;  // too long to expand: verified through their rules
  std::vector<Problem> problems;
  std::optional<Truncation> truncation;

  [[nodiscard]] bool intact() const { return problems.empty() && !truncation; }
};

// Verifies every checksum, count, level and index of the file. Throws Error if it is no spool at
// all.
[[nodiscard]] CheckReport check(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace pathspool
