// What goes into a spool comes out of it, whole or from any place on, in every form.
#include <gtest/gtest.h>

#include <random>

#include "pathspool/pack.h"
#include "pathspool/spool.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

using testing::PackWay;
using testing::RecordedStream;
using testing::Recording;

constexpr std::uint64_t kSmallChunks[] = {6, 7, 9, 64};

// Everything that can be asked of a spool against the recording it was made from.
void expect_the_same(const Spool& spool, const Recording& recording) {
  EXPECT_FALSE(spool.truncation().has_value());
  ASSERT_EQ(testing::read_spool(spool), recording);
  for (const RecordedStream& stream : recording.streams) {
    const auto frames = testing::replayed_frames(stream.events);
    for (std::size_t at = 0; at <= stream.events.size(); ++at) {
      ASSERT_EQ(spool.open_frames({stream.id, at}), frames[at]) << "before event " << at;
    }
  }
}

void expect_tails(const Spool& spool, const Recording& recording, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const RecordedStream& stream : recording.streams) {
    const std::size_t size = stream.events.size();
    for (int round = 0; round < 12; ++round) {
      const std::size_t from = random() % (size + 1);
      const std::size_t to = from + random() % (size + 2 - from);
      const auto begin = stream.events.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = stream.events.begin() + static_cast<std::ptrdiff_t>(std::min(to, size));
      ASSERT_EQ(testing::read_events(spool, stream.id, from),
                std::vector(begin, stream.events.end()));
      ASSERT_EQ(testing::read_events(spool, stream.id, from, to), std::vector(begin, end));
    }
    EXPECT_TRUE(testing::read_events(spool, stream.id, size).empty());
    EXPECT_TRUE(testing::read_events(spool, stream.id, size + 5).empty());
  }
}

// info()'s counts, the slow way.
void expect_counts(const Spool& spool, const Recording& recording) {
  std::uint64_t events = 0;
  std::vector<bool> ran(recording.functions.size());
  std::optional<std::int64_t> deepest;
  for (const RecordedStream& stream : recording.streams) {
    events += stream.events.size();
    trace::FrameStack frames;
    for (const Event& event : stream.events) {
      if (event.kind == EventKind::enter)
        deepest = std::max(deepest.value_or(frames.depth()), frames.depth());
      frames.apply(event);
      if (event.kind != EventKind::exit && frames.running()) {
        ran[static_cast<std::size_t>(*frames.running())] = true;
      }
    }
  }
  const SpoolInfo info = spool.info();
  EXPECT_EQ(info.events, events);
  EXPECT_EQ(info.functions_listed, recording.functions.size());
  EXPECT_EQ(info.functions_ran, static_cast<std::uint64_t>(std::ranges::count(ran, true)));
  EXPECT_EQ(info.deepest_level, deepest);
  EXPECT_EQ(info.streams.size(), recording.streams.size());
  EXPECT_FALSE(info.truncation.has_value());
  std::uint64_t bytes = 0;
  for (const SectionSize& section : info.sections) bytes += section.bytes;
  EXPECT_EQ(bytes, info.file_bytes);
  std::uint64_t segment_events = 0;
  for (const SegmentInfo& segment : info.segments) segment_events += segment.events;
  EXPECT_EQ(segment_events, events);
}

TEST(RoundTrip, several_interleaved_streams_come_back_from_every_form_and_chunk_size) {
  const testing::Scratch scratch;
  const auto path = scratch.file("a.spool");
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Recording recording = testing::full_recording(seed, 20 + 90 * seed);
    for (PackWay way : testing::all_pack_ways()) {
      way.options.index = seed % 2 == 0;
      way.options.chunk_bytes = kSmallChunks[seed % 4];
      SCOPED_TRACE(way.name + ", seed " + std::to_string(seed));
      testing::write_spool(path, recording, way.options, 1 + seed * 13);
      testing::expect_intact(path);
      const Spool spool = Spool::open(path);
      expect_the_same(spool, recording);
      expect_tails(spool, recording, seed);
      expect_counts(spool, recording);
      for (const SegmentInfo& segment : spool.info().segments) {
        EXPECT_EQ(segment.indexed, way.options.index);
      }
    }
  }
}

TEST(RoundTrip, many_short_segments_come_back_and_each_is_readable_alone) {
  const testing::Scratch scratch;
  const auto path = scratch.file("a.spool");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Recording recording = testing::full_recording(100 + seed, 250);
    for (PackWay way : testing::main_pack_ways()) {
      way.options.chunk_bytes = kSmallChunks[(seed + 1) % 4];
      way.options.index = seed % 2 == 1;
      const std::size_t segment_events = 1 + seed * seed * 5;
      SCOPED_TRACE(way.name + ", segments of " + std::to_string(segment_events));
      testing::write_segmented(path, recording, way.options, segment_events);
      testing::expect_intact(path);
      const Spool spool = Spool::open(path);
      EXPECT_GE(spool.info().segments.size(), 250 / segment_events);
      expect_the_same(spool, recording);
      expect_tails(spool, recording, seed);
      expect_counts(spool, recording);
    }
  }
}

TEST(RoundTrip, packing_two_traces_one_after_the_other_is_packing_their_concatenation) {
  const testing::Scratch scratch;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::vector<Event> events = testing::random_trace(seed, 1500);
    for (PackWay way : testing::all_pack_ways()) {
      way.options.chunk_bytes = kSmallChunks[3];
      SCOPED_TRACE(way.name);
      testing::write_spool(scratch.file("whole"), testing::one_stream(events), way.options,
                           events.size());
      testing::write_spool(scratch.file("halves"), testing::one_stream(events), way.options,
                           1 + 97 * seed);
      EXPECT_EQ(testing::read_whole(scratch.file("whole")),
                testing::read_whole(scratch.file("halves")));
    }
  }
}

TEST(RoundTrip, the_same_input_always_gives_the_same_bytes) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(5, 3000);
  for (PackWay way : testing::all_pack_ways()) {
    way.options.chunk_bytes = 100;
    SCOPED_TRACE(way.name);
    testing::write_spool(scratch.file("one"), recording, way.options);
    testing::write_spool(scratch.file("two"), recording, way.options);
    EXPECT_EQ(testing::read_whole(scratch.file("one")), testing::read_whole(scratch.file("two")));
  }
}

TEST(RoundTrip, every_form_keeps_everything_of_a_spool_of_every_form) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(9, 400);
  for (const PackWay& from : testing::all_pack_ways()) {
    testing::write_segmented(scratch.file("from"), recording, from.options, 77);
    const Spool input = Spool::open(scratch.file("from"));
    for (const PackWay& to : testing::all_pack_ways()) {
      SCOPED_TRACE(from.name + " to " + to.name);
      pack(input, scratch.file("to"), to.options);
      testing::expect_intact(scratch.file("to"));
      const Spool spool = Spool::open(scratch.file("to"));
      Recording found = testing::read_spool(spool);
      // The tool is the one that wrote the file.
      EXPECT_NE(found.metadata.tool_version, recording.metadata.tool_version);
      found.metadata.tool_version = recording.metadata.tool_version;
      EXPECT_EQ(found, recording);
      for (const SegmentInfo& segment : spool.info().segments) {
        EXPECT_EQ(segment.form, to.options.form);
      }
    }
  }
}

TEST(RoundTrip, chunks_smaller_than_an_event_hold_one_event_each) {
  const testing::Scratch scratch;
  const Recording recording = testing::full_recording(3, 100);
  for (PackWay way : testing::all_pack_ways()) {
    for (const std::uint64_t chunk_bytes : {1, 2}) {
      SCOPED_TRACE(way.name);
      way.options.chunk_bytes = chunk_bytes;
      testing::write_spool(scratch.file("a"), recording, way.options);
      testing::expect_intact(scratch.file("a"));
      expect_the_same(Spool::open(scratch.file("a")), recording);
    }
  }
}

TEST(RoundTrip, a_stream_that_is_not_there_has_no_events_and_no_frames) {
  const testing::Scratch scratch;
  for (const PackWay& way : testing::main_pack_ways()) {
    testing::write_spool(scratch.file("a"), testing::full_recording(1, 50), way.options);
    const Spool spool = Spool::open(scratch.file("a"));
    EXPECT_TRUE(testing::read_events(spool, StreamId{1}).empty());
    EXPECT_TRUE(spool.open_frames({StreamId{1}, 0}).empty());
  }
}

TEST(RoundTrip, an_empty_recording_and_streams_without_events_come_back) {
  const testing::Scratch scratch;
  Recording recording;
  for (int round = 0; round < 2; ++round) {
    for (const PackWay& way : testing::all_pack_ways()) {
      SCOPED_TRACE(way.name);
      testing::write_spool(scratch.file("a"), recording, way.options);
      testing::expect_intact(scratch.file("a"));
      const Spool spool = Spool::open(scratch.file("a"));
      EXPECT_EQ(testing::read_spool(spool), recording);
      EXPECT_FALSE(spool.info().deepest_level.has_value());
    }
    recording = testing::full_recording(0, 10);
    for (RecordedStream& stream : recording.streams) stream.events.clear();
  }
}

TEST(RoundTrip, a_bad_event_is_refused_wherever_it_is_with_all_of_its_batch) {
  const testing::Scratch scratch;
  const std::vector<Event> good = testing::random_trace(2, 37);
  SpoolWriter writer(scratch.file("a"), {});
  for (const Function& function : testing::plain_functions(4)) writer.functions().add(function);
  for (const Event bad : {Event::block(BlockId{0}), Event::enter(FunctionId{4}),
                          Event::enter(FunctionId{UINT32_MAX})}) {
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::vector<Event> events = good;
      events[at] = bad;
      EXPECT_THROW(writer.append(StreamId{0}, events), Error);
    }
  }
  writer.append(StreamId{0}, good);
  writer.finish();
  EXPECT_EQ(testing::read_events(Spool::open(scratch.file("a")), StreamId{0}), good);
}

}  // namespace
}  // namespace pathspool
