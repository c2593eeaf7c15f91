#include "spool/chunk_facts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "support/random_trace.h"

namespace pathspool::spool {
namespace {

// The facts of one chunk, straight from their definitions.
struct SlowFacts {
  std::optional<std::int64_t> lowest_exit;
  std::set<FunctionId> functions;
};

SlowFacts slow_facts(std::span<const Event> events, trace::FrameStack frames) {
  SlowFacts facts;
  for (const Event& event : events) {
    if (event.kind == EventKind::enter) facts.functions.insert(event.function());
    if (event.kind == EventKind::block && frames.running())
      facts.functions.insert(*frames.running());
    frames.apply(event);
    if (event.kind == EventKind::exit) {
      facts.lowest_exit = std::min(facts.lowest_exit.value_or(frames.depth()), frames.depth());
    }
  }
  return facts;
}

bool index_has(const ChunkIndex& index, FunctionId function, std::uint32_t chunk) {
  for (const ChunkRun& run : index.runs_of(function)) {
    if (run.first <= chunk && chunk <= run.last) return true;
  }
  return false;
}

RC_GTEST_PROP(ChunkFacts, agree_with_their_definitions_and_come_back_from_bytes, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto length = *rc::gen::inRange<std::size_t>(1, 400);
  const auto chunk_events = *rc::gen::inRange<std::size_t>(1, 60);
  const std::vector<Event> events = testing::random_trace(seed, length);

  const trace::FrameStack entry(3, {FunctionId{1}, FunctionId{0}});
  FactsBuilder builder(entry);
  std::vector<trace::FrameStack> before;
  std::vector<SlowFacts> slow;
  trace::FrameStack frames = entry;
  for (std::size_t at = 0; at < events.size(); at += chunk_events) {
    const auto chunk = std::span(events).subspan(at, std::min(chunk_events, events.size() - at));
    before.push_back(frames);
    slow.push_back(slow_facts(chunk, frames));
    for (const Event& event : chunk) frames.apply(event);
    builder.add(chunk.first(chunk.size() / 2));
    builder.add(chunk.subspan(chunk.size() / 2));
    builder.close_chunk();
  }
  const SegmentFacts facts = builder.finish();

  RC_ASSERT(facts.events() == events.size());
  RC_ASSERT(facts.chunks.size() == slow.size());
  for (std::uint32_t i = 0; i < slow.size(); ++i) {
    RC_ASSERT(facts.chunks[i].lowest_exit == slow[i].lowest_exit);
    RC_ASSERT(facts.chunks[i].entry_depth == before[i].depth());
    RC_ASSERT(facts.frames_before(i) == before[i]);
    for (std::uint32_t id = 0; id < 6; ++id) {
      RC_ASSERT(index_has(*facts.index, FunctionId{id}, i) ==
                slow[i].functions.contains(FunctionId{id}));
    }
  }
  RC_ASSERT(facts.frames_before(slow.size()) == frames);

  base::ByteWriter writer;
  write_facts(writer, facts);
  const std::size_t index_at = writer.size();
  write_index(writer, facts);
  base::ByteReader reader(writer.view());
  const SegmentFacts again = read_facts(reader, 4, facts.chunks.size());
  RC_ASSERT(reader.at() == index_at);
  RC_ASSERT(read_index(reader, again) == *facts.index);
  RC_ASSERT(reader.done());
  RC_ASSERT(again.entry == facts.entry);
  RC_ASSERT(again.chunks == facts.chunks);
  RC_ASSERT(again.functions == facts.functions);
  RC_ASSERT(again.deepest == facts.deepest);
}

TEST(ChunkFacts, a_chunk_with_no_exit_keeps_every_frame) {
  FactsBuilder builder(trace::FrameStack(1, {FunctionId{0}}));
  builder.add(std::vector<Event>{Event::block(BlockId{1}), Event::enter(FunctionId{1})});
  builder.close_chunk();
  const SegmentFacts facts = builder.finish();
  EXPECT_FALSE(facts.chunks[0].lowest_exit.has_value());
  EXPECT_EQ(facts.chunks[0].kept_below(), 1);
  EXPECT_EQ(facts.chunks[0].opened, std::vector{FunctionId{1}});
}

TEST(ChunkFacts, levels_fall_below_zero_in_a_stream_that_starts_late) {
  FactsBuilder builder(trace::FrameStack{});
  builder.add(std::vector<Event>{Event::exit(), Event::exit(), Event::enter(FunctionId{0})});
  builder.close_chunk();
  const SegmentFacts facts = builder.finish();
  EXPECT_EQ(facts.chunks[0].lowest_exit, -2);
  EXPECT_EQ(facts.chunks[0].exit_depth, -1);
  EXPECT_EQ(facts.deepest, -2);
}

TEST(ChunkFacts, a_function_that_is_not_in_the_table_is_refused) {
  FactsBuilder builder(trace::FrameStack{});
  builder.add(std::vector<Event>{Event::enter(FunctionId{7})});
  builder.close_chunk();
  base::ByteWriter writer;
  write_facts(writer, builder.finish());
  base::ByteReader reader(writer.view());
  static_cast<void>(read_facts(reader, 7, 1));
  EXPECT_TRUE(reader.failed());
}

}  // namespace
}  // namespace pathspool::spool
