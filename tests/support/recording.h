// A recording in memory: what goes into a spool, and what has to come out of it again.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pathspool/pack.h"
#include "pathspool/spool.h"
#include "support/random_trace.h"
#include "trace/frame_stack.h"

namespace pathspool::testing {

struct RecordedStream {
  StreamId id{};
  std::string title;
  std::optional<StreamId> parent;
  std::vector<Event> events;

  friend bool operator==(const RecordedStream&, const RecordedStream&) = default;
};

struct Recording {
  Metadata metadata;
  std::vector<Function> functions;
  std::vector<RecordedStream> streams;  // by rising id
  std::vector<Note> notes;

  friend bool operator==(const Recording&, const Recording&) = default;
};

// Functions that know everything that a recorder can know, or only their names. At least
// `least_blocks` blocks: random traces have ids up to TraceShape::blocks.
[[nodiscard]] inline Function full_function(std::uint32_t id, std::uint32_t least_blocks = 6) {
  Function function;
  function.name = "function " + std::to_string(id / 2);
  if (id % 3 == 1) function.demangled = function.name + "(int, char const*)";
  function.file = "source" + std::to_string(id % 2) + ".c";
  function.line = 10 * id + 1;
  function.blocks.resize(least_blocks + id % 3);
  const auto count = static_cast<std::uint32_t>(function.blocks.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    Block& block = function.blocks[index];
    block.terminator = Terminator{static_cast<std::uint8_t>((id + index) % 9)};
    for (std::uint32_t i = 0; i < (id + index) % 4; ++i) {
      block.lines.push_back(function.line + (index * 7 + id + i) % 5);
      block.successors.push_back(BlockId{1 + (index * 3 + i) % count});
    }
    if (index % 2 == 0) block.calls.push_back({CallKind::direct, "function 1"});
    if (index % 3 == 0) block.calls.push_back({CallKind::indirect, ""});
    if (index % 4 == 0) block.calls.push_back({CallKind::external, "printf"});
  }
  return function;
}
[[nodiscard]] inline std::vector<Function> plain_functions(std::uint32_t count) {
  std::vector<Function> functions(count);
  for (std::uint32_t id = 0; id < count; ++id) functions[id].name = "f" + std::to_string(id);
  return functions;
}

[[nodiscard]] inline Recording one_stream(std::vector<Event> events, std::uint32_t functions = 4) {
  return {{}, plain_functions(functions), {{StreamId{0}, "", std::nullopt, std::move(events)}}, {}};
}

// Several streams, everything known that can be known.
[[nodiscard]] inline Recording full_recording(std::uint64_t seed, std::size_t length) {
  Recording recording;
  recording.metadata = {"program", {"-x", "", "a b"}, "0123abcd", "host", "2026-01-02T03:04:05Z",
                        "test",    "blocks"};
  for (std::uint32_t id = 0; id < 4; ++id) recording.functions.push_back(full_function(id));
  recording.streams = {
      {StreamId{0}, "1/1 main", std::nullopt, random_trace(seed, length)},
      {StreamId{3}, "2/2 \"child\"", StreamId{0}, random_trace(seed + 1, length / 2)},
      {StreamId{UINT32_MAX}, "", StreamId{3}, random_trace(seed + 2, length / 3 + 1)}};
  recording.notes = {{{StreamId{0}, length / 4}, NoteKind::mark, "half of a half"},
                     {{StreamId{3}, UINT64_MAX}, NoteKind::warning, "a \"late\"\nword"},
                     {{StreamId{0}, 1}, NoteKind::mark, ""}};
  return recording;
}

// The streams' events come in turns of `turn`, as those of threads do.
inline void append_in_turns(SpoolWriter& writer, const Recording& recording, std::size_t turn) {
  for (const RecordedStream& stream : recording.streams) {
    writer.open_stream(stream.id, stream.title, stream.parent);
  }
  bool more = true;
  for (std::size_t at = 0; more; at += turn) {
    more = false;
    for (const RecordedStream& stream : recording.streams) {
      if (at >= stream.events.size()) continue;
      const std::size_t count = std::min(turn, stream.events.size() - at);
      writer.append(stream.id, std::span(stream.events).subspan(at, count));
      more = true;
    }
  }
}

inline void write_spool(const std::filesystem::path& path, const Recording& recording,
                        const PackOptions& options = {}, std::size_t turn = 100) {
  SpoolWriter writer(path, options, recording.metadata);
  for (const Function& function : recording.functions) writer.functions().add(function);
  for (const Note& note : recording.notes) writer.note(note);
  append_in_turns(writer, recording, turn);
  writer.finish();
}

[[nodiscard]] inline std::vector<Event> read_events(const Spool& spool, StreamId stream,
                                                    std::uint64_t from = 0,
                                                    std::uint64_t to = Spool::kToTheEnd) {
  std::vector<Event> events;
  EventCursor cursor = spool.events(stream, from, to);
  while (cursor.next()) {
    EXPECT_EQ(cursor.index(), from + events.size());
    events.insert(events.end(), cursor.batch().begin(), cursor.batch().end());
  }
  return events;
}

[[nodiscard]] inline Recording read_spool(const Spool& spool) {
  Recording recording;
  recording.metadata = spool.metadata();
  for (std::uint32_t id = 0; id < spool.functions().size(); ++id) {
    recording.functions.push_back(spool.functions()[FunctionId{id}]);
  }
  recording.notes.assign(spool.notes().begin(), spool.notes().end());
  for (const StreamInfo& stream : spool.streams()) {
    recording.streams.push_back(
        {stream.id, stream.title, stream.parent, read_events(spool, stream.id)});
    EXPECT_EQ(stream.events, recording.streams.back().events.size());
  }
  return recording;
}

// The house rule: `check` runs on every spool that a test makes.
inline void expect_intact(const std::filesystem::path& path) {
  const CheckReport report = check(path);
  for (const Problem& problem : report.problems) {
    ADD_FAILURE() << "check: " << problem.what << " (offset " << problem.offset_bytes << ")";
  }
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.damaged_segments, 0U);
}

// The frames open before each event and after the last: the slow, obvious way.
[[nodiscard]] inline std::vector<std::vector<FunctionId>> replayed_frames(
    std::span<const Event> events) {
  std::vector<std::vector<FunctionId>> frames = {{}};
  for (const Event& event : events) {
    frames.push_back(frames.back());
    if (event.kind == EventKind::enter) frames.back().push_back(event.function());
    if (event.kind == EventKind::exit && !frames.back().empty()) frames.back().pop_back();
  }
  return frames;
}

}  // namespace pathspool::testing
