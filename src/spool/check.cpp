// check(): verifies everything that a spool says of itself.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "pathspool/error.h"
#include "pathspool/spool.h"
#include "pathspool/text.h"
#include "spool/spool_impl.h"

namespace pathspool {
namespace {

// A grammar of repeats upon repeats can have more events than anyone can read. Beyond these bounds
// a segment's checksums, counts and levels are still verified, rule by rule, but not its index.
constexpr std::uint64_t kMostEventsOfSegment = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostEventsOfSmallFile = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostEventsPerByte = 4096;

// Finds the first block that its function does not have, where the function's blocks are known.
class BlockChecker {
 public:
  BlockChecker(const FunctionTable& functions, const spool::SegmentHead& head)
      : functions_(functions),
        stream_(head.stream),
        index_(head.first_event),
        frames_(head.facts.entry) {
    look_at_running();
  }

  void add(std::span<const Event> events) {
    for (const Event& event : events) {
      if (event.kind != EventKind::block) {
        frames_.apply(event);
        look_at_running();
      } else if (event.id > last_block_ && !problem_) {
        const FunctionId running = *frames_.running();
        problem_ = fmt::format("event {}:{} is block {} of a function that has {}: {}",
                               static_cast<std::uint32_t>(stream_), index_, event.id, last_block_,
                               quoted_if_needed(functions_.display_name(running)));
      }
      ++index_;
    }
  }

  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  void look_at_running() {
    const std::optional<FunctionId> running = frames_.running();
    const std::size_t count = running ? functions_[*running].blocks.size() : 0;
    last_block_ = count == 0 ? UINT32_MAX : static_cast<std::uint32_t>(count);
  }

  const FunctionTable& functions_;
  StreamId stream_;
  std::uint64_t index_;
  trace::FrameStack frames_;
  std::uint32_t last_block_ = UINT32_MAX;  // of the running function
  std::optional<std::string> problem_;
};

class Checker {
 public:
  Checker(const std::filesystem::path& path, const Progress& progress)
      : path_(path), progress_(progress) {}

  CheckReport run() {
    base::InputFile file(path_);
    report_.file_bytes = file.size_bytes();
    expandable_events_ = kMostEventsOfSmallFile + kMostEventsPerByte * file.size_bytes();
    spool::check_file_header(file);
    // By walking, so that the table of contents can be held against what the file really has.
    spool::Contents contents = spool::walk_contents(file);
    report_.truncation = contents.truncation;
    compare_with_table(file, contents);
    if (contents.damage) report_.problems.push_back(*contents.damage);
    check_sections(file, contents);
    check_segments(std::move(file), std::move(contents));
    return std::move(report_);
  }

 private:
  void add_problem(const Error& error, std::uint64_t offset_bytes) {
    const std::uint64_t at = error.offset_bytes().value_or(offset_bytes);
    // One place, one problem: what is damaged is met more than once.
    if (std::ranges::find(report_.problems, at, &Problem::offset_bytes) != report_.problems.end()) {
      return;
    }
    report_.problems.push_back({error.what(), at});
  }

  void compare_with_table(const base::InputFile& file, spool::Contents& walked) {
    if (walked.truncation) return;
    try {
      spool::Contents table = spool::read_contents(file);
      if (walked.damage) {
        // Where walking had to stop, the table shows the way to what comes after.
        if (!table.damage) walked = std::move(table);
      } else if (table.entries != walked.entries) {
        report_.problems.push_back(
            {"table of contents differs from the sections", table.table->offset_bytes});
      }
    } catch (const Error& error) {
      add_problem(error, 0);
    }
  }

  // Sections of unknown type too: their parts have checksums like all others.
  void check_sections(const base::InputFile& file, const spool::Contents& contents) {
    for (const spool::SectionEntry& entry : contents.entries) {
      if (entry.segment) continue;
      try {
        for (const spool::BlobRef& blob : spool::read_section(file, entry.ref).blobs) {
          static_cast<void>(spool::read_blob(file, blob));
        }
      } catch (const Error& error) {
        add_problem(error, entry.ref.offset_bytes);
      }
    }
  }

  void check_segments(base::InputFile file, spool::Contents contents) {
    const auto segments = static_cast<std::uint64_t>(std::ranges::count_if(
        contents.entries, [](const auto& entry) { return entry.segment.has_value(); }));
    std::optional<Spool::Impl> spool;
    try {
      spool.emplace(std::move(file), std::move(contents));
    } catch (const Error& error) {
      // Without the tables no segment can be read.
      add_problem(error, 0);
      report_.damaged_segments = segments;
      return;
    }
    functions_ = &spool->functions();
    for (const StreamInfo& stream : spool->streams()) total_events_ += stream.events;
    for (const StreamInfo& stream : spool->streams()) {
      std::optional<trace::FrameStack> frames = trace::FrameStack{};
      for (const std::size_t segment : spool->segments_of(stream.id)) {
        const std::uint64_t offset_bytes = spool->segment_ref(segment).offset_bytes;
        try {
          check_segment(*spool->segment(segment), frames, offset_bytes);
          report_.events += spool->segment_entry(segment).events;
          ++report_.segments;
        } catch (const Error& error) {
          add_problem(error, offset_bytes);
          ++report_.damaged_segments;
          frames.reset();  // the next segment's entry cannot be verified
        }
        done_events_ = base_events_ += spool->segment_entry(segment).events;
      }
    }
  }

  void check_segment(const spool::SegmentReader& reader, std::optional<trace::FrameStack>& frames,
                     std::uint64_t offset_bytes) {
    const spool::SegmentFacts& claimed = reader.head().facts;
    if (frames && claimed.entry != *frames) {
      throw Error("segment does not begin in the frames that the one before it left open",
                  offset_bytes);
    }
    reader.verify();
    const std::uint64_t events = reader.head().events;
    if (events > std::min(kMostEventsOfSegment, expandable_events_)) {
      ++report_.unexpanded_segments;
      frames = claimed.frames_before(claimed.chunks.size());
      return;
    }
    expandable_events_ -= events;
    reader.verify_expanded();
    const spool::SegmentFacts found = facts_of(reader, offset_bytes);
    if (found.chunks != claimed.chunks || found.deepest != claimed.deepest) {
      throw Error("segment's levels differ from its events'", offset_bytes);
    }
    if (found.functions != claimed.functions || (claimed.index && found.index != claimed.index)) {
      throw Error("segment's index differs from its events", offset_bytes);
    }
    frames = found.frames_before(found.chunks.size());
  }

  spool::SegmentFacts facts_of(const spool::SegmentReader& reader, std::uint64_t offset_bytes) {
    spool::FactsBuilder builder(reader.head().facts.entry);
    BlockChecker blocks(*functions_, reader.head());
    const auto cursor = reader.events(0);
    std::span<const Event> events;
    for (const spool::ChunkFacts& chunk : reader.head().facts.chunks) {
      std::uint64_t left = chunk.events;
      while (left > 0) {
        if (events.empty()) {
          events = cursor->next();
          if (events.empty()) throw Error("segment holds fewer events than its head says");
          done_events_ += events.size();
          if (progress_) progress_(done_events_, total_events_);
        }
        const std::size_t step = std::min<std::uint64_t>(left, events.size());
        builder.add(events.first(step));
        blocks.add(events.first(step));
        events = events.subspan(step);
        left -= step;
      }
      builder.close_chunk();
    }
    if (!events.empty() || !cursor->next().empty()) {
      throw Error("segment holds more events than its head says");
    }
    if (blocks.problem()) add_problem(Error(*blocks.problem()), offset_bytes);
    return builder.finish();
  }

  const std::filesystem::path& path_;
  const Progress& progress_;
  CheckReport report_;
  const FunctionTable* functions_ = nullptr;
  std::uint64_t expandable_events_ = 0;
  std::uint64_t total_events_ = 0;
  std::uint64_t done_events_ = 0;
  std::uint64_t base_events_ = 0;
};

}  // namespace

CheckReport check(const std::filesystem::path& path, const Progress& progress) {
  return Checker(path, progress).run();
}

}  // namespace pathspool
