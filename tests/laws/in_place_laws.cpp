// Spools written in place: whatever happens to the writer, what was complete stays readable.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <new>

#include "pathspool/pack.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

using testing::PackWay;
using testing::Recording;

std::vector<PackWay> in_place_ways() {
  std::vector<PackWay> ways = testing::main_pack_ways();
  for (PackWay& way : ways) way.options.in_place = true;
  return ways;
}

// Appends the recording in turns and cuts each stream after each turn; `after_turn` hears how many
// events are in the file.
template <typename AfterTurn>
void append_with_cuts(SpoolWriter& writer, const Recording& recording, std::size_t turn,
                      const AfterTurn& after_turn) {
  std::uint64_t events = 0;
  std::size_t longest = 0;
  for (const testing::RecordedStream& stream : recording.streams) {
    writer.open_stream(stream.id, stream.title, stream.parent);
    longest = std::max(longest, stream.events.size());
  }
  for (std::size_t at = 0; at < longest; at += turn) {
    for (const testing::RecordedStream& stream : recording.streams) {
      if (at >= stream.events.size()) continue;
      const std::size_t count = std::min(turn, stream.events.size() - at);
      writer.append(stream.id, std::span(stream.events).subspan(at, count));
      writer.cut(stream.id);
      events += count;
    }
    after_turn(events);
  }
}

// Reads a file that may end early: events of each stream are a prefix of the recording's. Returns
// how many there are.
std::uint64_t expect_a_prefix(const std::filesystem::path& path, const Recording& recording) {
  const CheckReport report = check(path);
  EXPECT_TRUE(report.problems.empty()) << report.problems[0].what;
  const Spool spool = Spool::open(path);
  std::uint64_t events = 0;
  for (const testing::RecordedStream& found : testing::read_spool(spool).streams) {
    const auto whole = std::ranges::find(recording.streams, found.id, &testing::RecordedStream::id);
    EXPECT_NE(whole, recording.streams.end());
    EXPECT_LE(found.events.size(), whole->events.size());
    EXPECT_TRUE(std::equal(found.events.begin(), found.events.end(), whole->events.begin()));
    events += found.events.size();
  }
  EXPECT_EQ(report.events, events);
  return events;
}

TEST(InPlace, the_file_is_the_same_as_one_that_was_renamed) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(3, 500);
  for (PackWay way : in_place_ways()) {
    SCOPED_TRACE(way.name);
    way.options.chunk_bytes = 40;
    testing::write_spool(scratch.file("in place"), recording, way.options);
    testing::expect_intact(scratch.file("in place"));
    way.options.in_place = false;
    testing::write_spool(scratch.file("renamed"), recording, way.options);
    EXPECT_EQ(testing::read_whole(scratch.file("in place")),
              testing::read_whole(scratch.file("renamed")));
  }
}

TEST(InPlace, what_was_cut_is_in_the_file_at_once) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(4, 300);
  for (const PackWay& way : in_place_ways()) {
    SCOPED_TRACE(way.name);
    SpoolWriter writer(scratch.file("a"), way.options, recording.metadata);
    EXPECT_TRUE(Spool::open(scratch.file("a")).truncation().has_value());
    for (const Function& function : recording.functions) writer.functions().add(function);
    for (const Note& note : recording.notes) writer.note(note);
    append_with_cuts(writer, recording, 37, [&](std::uint64_t events) {
      EXPECT_EQ(expect_a_prefix(scratch.file("a"), recording), events);
      const Spool spool = Spool::open(scratch.file("a"));
      EXPECT_TRUE(spool.truncation().has_value());
      EXPECT_EQ(spool.truncation()->unusable_bytes, 0U);
      EXPECT_EQ(testing::read_spool(spool).functions, recording.functions);
      EXPECT_EQ(testing::read_spool(spool).notes, recording.notes);
    });
    writer.finish();
    testing::expect_intact(scratch.file("a"));
    EXPECT_EQ(testing::read_spool(Spool::open(scratch.file("a"))), recording);
  }
}

TEST(InPlace, cutting_what_holds_nothing_does_nothing) {
  const testing::Scratch scratch;
  for (const PackWay& way : in_place_ways()) {
    SpoolWriter writer(scratch.file("a"), way.options);
    writer.cut(StreamId{7});
    writer.append(StreamId{0}, std::vector{Event::block(BlockId{1})});
    for (int i = 0; i < 3; ++i) writer.cut(StreamId{0});
    writer.append(StreamId{0}, {});
    writer.cut(StreamId{0});
    writer.finish();
    const SpoolInfo info = Spool::open(scratch.file("a")).info();
    EXPECT_EQ(info.segments.size(), 1U);
    EXPECT_EQ(info.streams.size(), 1U);
  }
}

TEST(InPlace, a_writer_that_goes_without_finishing_leaves_what_was_complete) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(5, 200);
  for (const PackWay& way : in_place_ways()) {
    std::uint64_t in_file = 0;
    {
      SpoolWriter writer(scratch.file("a"), way.options);
      for (const Function& function : recording.functions) writer.functions().add(function);
      append_with_cuts(writer, recording, 50, [&](std::uint64_t events) { in_file = events; });
      writer.append(StreamId{0}, recording.streams[0].events);  // never in the file
    }
    EXPECT_EQ(expect_a_prefix(scratch.file("a"), recording), in_file);
    EXPECT_TRUE(Spool::open(scratch.file("a")).truncation().has_value());
  }
}

TEST(InPlace, a_writer_killed_at_any_time_leaves_what_was_complete) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(6, 3000);
  void* const shared = ::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& in_file = *new (shared) std::atomic<std::uint64_t>();
  // Of form grammar only: a forked child has no threads to compress chunks with.
  for (PackWay way : in_place_ways()) {
    if (way.options.form != Form::grammar) continue;
    for (unsigned round = 0; round < 20; ++round) {
      in_file = 0;
      const pid_t child = ::fork();
      if (child == 0) {
        try {
          SpoolWriter writer(scratch.file("a"), way.options);
          for (const Function& function : recording.functions) writer.functions().add(function);
          append_with_cuts(writer, recording, 7, [&](std::uint64_t events) { in_file = events; });
          ::pause();
        } catch (...) {
        }
        ::_exit(1);
      }
      while (in_file == 0) ::usleep(100);
      ::usleep(300 * round);
      ::kill(child, SIGKILL);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSIGNALED(status));
      EXPECT_GE(expect_a_prefix(scratch.file("a"), recording), in_file.load());
    }
  }
  ::munmap(shared, sizeof(std::atomic<std::uint64_t>));
}

// A disk that is full after so many bytes.
class FullDisk {
 public:
  explicit FullDisk(std::uint64_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(InPlace, a_disk_that_is_full_at_any_byte_keeps_what_was_complete) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(7, 60);
  for (PackWay way : in_place_ways()) {
    SCOPED_TRACE(way.name);
    way.options.chunk_bytes = 30;
    const auto write = [&](std::uint64_t& in_file) {
      SpoolWriter writer(scratch.file("a"), way.options, recording.metadata);
      for (const Function& function : recording.functions) writer.functions().add(function);
      append_with_cuts(writer, recording, 20, [&](std::uint64_t events) { in_file = events; });
      writer.finish();
    };
    std::uint64_t all = 0;
    write(all);
    const base::Bytes whole = testing::read_whole(scratch.file("a"));
    for (std::uint64_t size = 0; size < whole.size(); ++size) {
      SCOPED_TRACE("full after byte " + std::to_string(size));
      std::uint64_t in_file = 0;
      {
        const FullDisk full(size);
        EXPECT_THROW(write(in_file), OutputError);
      }
      const base::Bytes found = testing::read_whole(scratch.file("a"));
      ASSERT_LE(found.size(), size);
      ASSERT_TRUE(std::equal(found.begin(), found.end(), whole.begin()));
      if (found.empty()) continue;
      const Spool spool = Spool::open(scratch.file("a"));
      ASSERT_TRUE(spool.truncation().has_value());
      EXPECT_EQ(spool.truncation()->unusable_bytes, 0U);
      // Nothing that fitted is missing.
      testing::write_whole(scratch.file("cut"), base::ByteView(whole).first(size));
      EXPECT_EQ(Spool::open(scratch.file("cut")).truncation()->complete_bytes, found.size());
      EXPECT_GE(expect_a_prefix(scratch.file("a"), recording), in_file);
    }
  }
}

TEST(InPlace, after_a_failure_the_rest_of_a_complete_spool_can_be_written) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(8, 2000);
  for (const PackWay& way : in_place_ways()) {
    SCOPED_TRACE(way.name);
    SpoolWriter writer(scratch.file("a"), way.options, recording.metadata);
    for (const Function& function : recording.functions) writer.functions().add(function);
    std::uint64_t in_file = 0;
    {
      const FullDisk full(4000);
      EXPECT_THROW(
          append_with_cuts(writer, recording, 100, [&](std::uint64_t events) { in_file = events; }),
          OutputError);
    }
    EXPECT_THROW(writer.append(StreamId{0}, recording.streams[0].events), OutputError);
    EXPECT_THROW(writer.cut(StreamId{0}), OutputError);
    const Note note = {{StreamId{0}, in_file}, NoteKind::warning, "the disk is full"};
    writer.note(note);
    writer.finish();
    testing::expect_intact(scratch.file("a"));
    const Spool spool = Spool::open(scratch.file("a"));
    EXPECT_FALSE(spool.truncation().has_value());
    EXPECT_GE(expect_a_prefix(scratch.file("a"), recording), in_file);
    EXPECT_EQ(testing::read_spool(spool).notes, std::vector{note});
  }
}

TEST(InPlace, a_file_that_has_been_removed_is_not_called_written) {
  const testing::Scratch scratch;
  PackOptions options;
  options.in_place = true;
  SpoolWriter writer(scratch.file("a"), options);
  std::filesystem::remove(scratch.file("a"));
  EXPECT_THROW(writer.finish(), OutputError);
}

TEST(InPlace, a_forked_child_leaves_its_parents_file_alone) {
  const testing::Scratch scratch;
  const std::vector<Event> events(10, Event::block(BlockId{1}));
  PackOptions options;
  options.in_place = true;
  options.form = Form::grammar;
  auto writer = std::make_unique<SpoolWriter>(scratch.file("a"), options);
  writer->append(StreamId{0}, events);
  const pid_t child = ::fork();
  if (child == 0) {
    writer.reset();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  writer->finish();
  EXPECT_EQ(testing::read_events(Spool::open(scratch.file("a")), StreamId{0}), events);
}

TEST(Notes, many_of_them_come_back_in_order_and_survive_packing) {
  const testing::Scratch scratch;
  Recording recording = testing::one_stream(testing::random_trace(1, 100));
  recording.metadata.tool_version = "x";
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    recording.notes.push_back({{StreamId{i % 3}, i},
                               i % 5 == 0 ? NoteKind::warning : NoteKind::mark,
                               "note " + std::to_string(i)});
  }
  testing::write_spool(scratch.file("a"), recording);
  testing::expect_intact(scratch.file("a"));
  const Spool spool = Spool::open(scratch.file("a"));
  EXPECT_EQ(testing::read_spool(spool), recording);
  EXPECT_EQ(spool.info().notes, recording.notes);
  PackOptions options;
  options.form = Form::grammar;
  pack(spool, scratch.file("b"), options);
  EXPECT_EQ(testing::read_spool(Spool::open(scratch.file("b"))).notes, recording.notes);
}

}  // namespace
}  // namespace pathspool
