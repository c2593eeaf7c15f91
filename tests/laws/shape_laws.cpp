// Traces of extreme shape: deep, long, narrow, wide.
#include <gtest/gtest.h>

#include <string>

#include "pathspool/pack.h"
#include "pathspool/text.h"
#include "support/pack_ways.h"
#include "support/program_model.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

using testing::PackWay;
using testing::Recording;

// Packs in every way; the whole, the check and a few places have to be right.
void expect_kept(const Recording& recording, const std::vector<PackWay>& ways) {
  const testing::Scratch scratch;
  const auto path = scratch.file("a.spool");
  for (const PackWay& way : ways) {
    SCOPED_TRACE(way.name);
    testing::write_spool(path, recording, way.options, 5000);
    testing::expect_intact(path);
    const Spool spool = Spool::open(path);
    ASSERT_TRUE(testing::read_spool(spool) == recording);
    for (const testing::RecordedStream& stream : recording.streams) {
      const std::size_t size = stream.events.size();
      for (const std::size_t at : {size / 7, size / 2, size - 1, size}) {
        trace::FrameStack frames;
        for (std::size_t i = 0; i < at; ++i) frames.apply(stream.events[i]);
        ASSERT_TRUE(spool.open_frames({stream.id, at}) == frames.known()) << "before event " << at;
        const auto begin = stream.events.begin() + static_cast<std::ptrdiff_t>(at);
        ASSERT_TRUE(testing::read_events(spool, stream.id, at) ==
                    std::vector(begin, stream.events.end()));
      }
    }
  }
}

std::vector<PackWay> with_chunk_bytes(std::uint64_t chunk_bytes) {
  std::vector<PackWay> ways = testing::main_pack_ways();
  for (PackWay& way : ways) way.options.chunk_bytes = chunk_bytes;
  return ways;
}

constexpr std::uint32_t kDeep = 100'000;

TEST(Shapes, recursion_of_a_hundred_thousand_levels_and_back) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < kDeep; ++i) {
    events.push_back(Event::enter(FunctionId{i % 3}));
    events.push_back(Event::block(BlockId{1 + i % 2}));
  }
  for (std::uint32_t i = 0; i < kDeep; ++i) {
    events.push_back(Event::block(BlockId{3}));
    events.push_back(Event::exit());
  }
  expect_kept(testing::one_stream(events), with_chunk_bytes(1U << 14));
}

TEST(Shapes, recursion_of_a_hundred_thousand_levels_that_ends_in_a_crash) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < kDeep; ++i) events.push_back(Event::enter(FunctionId{i % 3}));
  expect_kept(testing::one_stream(events), with_chunk_bytes(4U << 20));
  const testing::Scratch scratch;
  testing::write_spool(scratch.file("a"), testing::one_stream(events));
  EXPECT_EQ(Spool::open(scratch.file("a")).info().deepest_level, kDeep - 1);
}

TEST(Shapes, a_stream_that_starts_a_hundred_thousand_levels_deep) {
  std::vector<Event> events(kDeep, Event::exit());
  for (std::uint32_t i = 0; i < kDeep / 2; ++i) events.push_back(Event::enter(FunctionId{1}));
  expect_kept(testing::one_stream(events), with_chunk_bytes(1U << 14));
  const testing::Scratch scratch;
  testing::write_spool(scratch.file("a"), testing::one_stream(events));
  EXPECT_EQ(Spool::open(scratch.file("a")).info().deepest_level, -std::int64_t{kDeep / 2} - 1);
}

TEST(Shapes, deep_recursion_over_several_segments) {
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 20'000; ++i) events.push_back(Event::enter(FunctionId{i % 4}));
  for (std::uint32_t i = 0; i < 20'000; ++i) events.push_back(Event::exit());
  const testing::Scratch scratch;
  for (const PackWay& way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    testing::write_segmented(scratch.file("a"), testing::one_stream(events), way.options, 7000);
    testing::expect_intact(scratch.file("a"));
    const Spool spool = Spool::open(scratch.file("a"));
    EXPECT_TRUE(testing::read_events(spool, StreamId{0}) == events);
    EXPECT_EQ(spool.open_frames({StreamId{0}, 20'000}).size(), 20'000U);
    EXPECT_EQ(spool.open_frames({StreamId{0}, 30'000}).size(), 10'000U);
  }
}

TEST(Shapes, a_loop_of_a_million_rounds) {
  std::vector<Event> events = {Event::enter(FunctionId{0})};
  for (std::uint32_t i = 0; i < 1'000'000; ++i) events.push_back(Event::block(BlockId{1 + i % 2}));
  events.push_back(Event::exit());
  expect_kept(testing::one_stream(events, 1), with_chunk_bytes(4U << 20));
  const testing::Scratch scratch;
  PackOptions options;
  options.form = Form::grammar;
  testing::write_spool(scratch.file("a"), testing::one_stream(events, 1), options, 100'000);
  EXPECT_LT(std::filesystem::file_size(scratch.file("a")), 1000U);
}

TEST(Shapes, one_function_with_one_event_of_each_kind) {
  for (const Event event : {Event::enter(FunctionId{0}), Event::block(BlockId{1}), Event::exit(),
                            Event::block(BlockId{UINT32_MAX})}) {
    expect_kept(testing::one_stream({event}, 1), testing::all_pack_ways());
  }
}

TEST(Shapes, block_ids_up_to_the_largest) {
  std::vector<Event> events = {Event::enter(FunctionId{0})};
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    events.push_back(Event::block(BlockId{1U << bit}));
    events.push_back(Event::block(BlockId{(1U << bit) + ((1U << bit) - 1)}));
    events.push_back(Event::block(BlockId{UINT32_MAX - bit}));
  }
  for (std::uint32_t id = 230; id < 260; ++id) events.push_back(Event::block(BlockId{id}));
  expect_kept(testing::one_stream(events, 1), with_chunk_bytes(16));
}

TEST(Shapes, ten_thousand_functions) {
  testing::TraceShape shape;
  shape.functions = 10'000;
  shape.enters = 5;
  expect_kept(testing::one_stream(testing::random_trace(3, 100'000, shape), 10'000),
              with_chunk_bytes(1U << 14));
}

TEST(Shapes, a_thousand_streams_of_a_few_events) {
  Recording recording;
  recording.functions = testing::plain_functions(4);
  for (std::uint32_t id = 0; id < 1000; ++id) {
    recording.streams.push_back({StreamId{id * 7}, "t" + std::to_string(id), std::nullopt,
                                 testing::random_trace(id, 1 + id % 17)});
  }
  expect_kept(recording, testing::main_pack_ways());
}

// Idle streams take next to no memory, so they need not be cut.
TEST(Shapes, five_thousand_streams_stay_few_segments) {
  const testing::Scratch scratch;
  Recording recording;
  recording.functions = testing::plain_functions(4);
  for (std::uint32_t id = 0; id < 5000; ++id) {
    recording.streams.push_back({StreamId{id}, "", std::nullopt, testing::random_trace(id, 16)});
  }
  PackOptions options;
  options.form = Form::grammar;
  options.memory_bytes = 64U << 20;
  const testing::ProcessorTime time;
  testing::write_spool(scratch.file("a"), recording, options, 4);
  EXPECT_LT(time.seconds(), testing::kSanitized ? 60 : 5);
  testing::expect_intact(scratch.file("a"));
  const Spool spool = Spool::open(scratch.file("a"));
  EXPECT_LT(spool.info().segments.size(), 2 * recording.streams.size());
  EXPECT_TRUE(testing::read_spool(spool) == recording);
}

TEST(Shapes, names_that_need_quoting_come_back_through_the_text_form) {
  const testing::Scratch scratch;
  FunctionTable functions;
  std::vector<Event> events;
  const std::string names[] = {"",     "E",    "B1",          "B0",   "@stream",     "a b",
                               "a,b",  "#",    "\"",          "\\",   "line\nbreak", "tab\t",
                               "\x01", "\x7f", "caf\xc3\xa9", "\xff", "a:b",         "operator<<",
                               "Bx",   "E2",   "-",           "R1",   "S",           "a\"b\\c"};
  for (const std::string& name : names) {
    events.push_back(Event::enter(functions.intern(name)));
    events.push_back(Event::block(BlockId{1}));
  }
  ASSERT_EQ(functions.size(), std::size(names));
  std::string text;
  TextWriter writer([&text](std::string_view bytes) { text += bytes; }, functions);
  writer.begin_stream(StreamId{4}, "a \"title\"\n");
  writer.events(events);
  writer.finish();
  for (const PackWay& way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    std::string_view left = text;
    const auto source = [&left](std::span<char> buffer) {
      const std::size_t count = left.copy(buffer.data(), buffer.size());
      left.remove_prefix(count);
      return count;
    };
    pack_text(source, scratch.file("a"), way.options);
    testing::expect_intact(scratch.file("a"));
    const Spool spool = Spool::open(scratch.file("a"));
    ASSERT_EQ(spool.functions().size(), std::size(names));
    for (std::uint32_t id = 0; id < std::size(names); ++id) {
      EXPECT_EQ(spool.functions()[FunctionId{id}].name, names[id]);
    }
    ASSERT_EQ(spool.streams().size(), 1U);
    EXPECT_EQ(spool.streams()[0].title, "a \"title\"\n");
    EXPECT_EQ(testing::read_events(spool, StreamId{4}), events);
  }
}

TEST(Shapes, programs_with_loops_inside_calls) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    testing::ModelOptions options;
    options.seed = seed;
    options.functions = 10 * static_cast<std::uint32_t>(seed);
    testing::ProgramModel model(options);
    expect_kept(testing::one_stream(model.events(100'000), options.functions),
                with_chunk_bytes(1U << 13));
  }
}

}  // namespace
}  // namespace pathspool
