// Every scheme against the obvious matcher, and so against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "differential/match_reference.h"
#include "pathspool/find.h"
#include "support/pack_ways.h"
#include "support/random_trace.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

std::vector<Scheme> schemes_of(Form form, bool indexed) {
  std::vector<Scheme> schemes = {Scheme::automatic};
  schemes.push_back(form == Form::chunks ? Scheme::chunks : Scheme::grammar);
  if (indexed) {
    schemes.push_back(form == Form::chunks ? Scheme::indexed_chunks : Scheme::indexed_grammar);
  }
  return schemes;
}

struct Expected {
  std::vector<Position> positions;
};

Expected expected_of(const testing::Recording& recording, const Query& query,
                     const FindOptions& options) {
  Expected expected;
  for (const testing::RecordedStream& stream : recording.streams) {
    if (options.stream && *options.stream != stream.id) continue;
    std::vector<std::uint64_t> found;
    for (const Path& path : query.paths) {
      const std::vector<std::uint64_t> more = testing::reference_matches(stream.events, path);
      found.insert(found.end(), more.begin(), more.end());
    }
    std::ranges::sort(found);
    for (const std::uint64_t index : found) {
      const Position position{stream.id, index};
      if (options.from && position < *options.from) continue;
      if (options.to && position >= *options.to) continue;
      expected.positions.push_back(position);
    }
  }
  return expected;
}

// All wishes, by one scheme.
void expect_answers(const Spool& spool, std::span<const Query> queries,
                    std::span<const Expected> expected, FindOptions options) {
  for (const Wish wish : {Wish::all, Wish::count, Wish::first, Wish::exists}) {
    options.wish = wish;
    const FindResult result = find(spool, queries, options);
    ASSERT_TRUE(result.unsearched.empty());
    ASSERT_EQ(result.answers.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      SCOPED_TRACE("query " + std::to_string(i));
      const QueryAnswer& answer = result.answers[i];
      const std::vector<Position>& positions = expected[i].positions;
      ASSERT_EQ(answer.found, !positions.empty());
      if (wish == Wish::all) {
        ASSERT_TRUE(answer.positions == positions);
      }
      if (wish == Wish::count) {
        ASSERT_EQ(answer.count, positions.size());
      }
      if (wish == Wish::first && answer.found) {
        ASSERT_TRUE(answer.first == positions.front());
      }
    }
  }
}

void expect_all_schemes_agree(const testing::Scratch& scratch, const testing::Recording& recording,
                              std::span<const Query> queries, const PackOptions& pack,
                              std::size_t segment_events, FindOptions options = {}) {
  SCOPED_TRACE("segments of " + std::to_string(segment_events) + ", chunks of " +
               std::to_string(pack.chunk_bytes.value_or(0)));
  testing::write_segmented(scratch.file("a"), recording, pack, segment_events);
  const Spool spool = Spool::open(scratch.file("a"));
  std::vector<Expected> expected;
  for (const Query& query : queries) expected.push_back(expected_of(recording, query, options));
  for (const Scheme scheme : schemes_of(pack.form, pack.index)) {
    SCOPED_TRACE("scheme " + std::to_string(static_cast<int>(scheme)));
    options.scheme = scheme;
    expect_answers(spool, queries, expected, options);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

Path path_of(std::uint32_t function, std::vector<std::uint32_t> blocks) {
  Path path{FunctionId{function}, {}};
  for (const std::uint32_t block : blocks) path.steps.push_back({BlockId{block}});
  return path;
}

// Paths that occur, that nearly occur, and that do not.
std::vector<Query> some_queries(const testing::Recording& recording, std::uint64_t seed,
                                std::uint32_t functions, std::uint32_t blocks) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  std::vector<Query> queries = {
      {{path_of(below(functions), {1})}, ""},
      {{path_of(below(functions), {1, 1, 2, 1, 1})}, ""},
      {{path_of(below(functions), {1, 1})}, ""},
      {{path_of(below(functions), std::vector<std::uint32_t>(300, 1))}, ""},
      {{path_of(0, {1, 2}), path_of(1, {2})}, ""},
  };
  // Out of one frame of the trace.
  for (int round = 0; round < 6; ++round) {
    const std::vector<Event>& events = recording.streams[below(recording.streams.size())].events;
    struct Frame {
      std::uint32_t function = 0;
      std::vector<std::uint32_t> blocks;
    };
    std::vector<Frame> frames;
    std::vector<Frame> long_enough;
    const std::size_t length = 2 + below(5);
    for (const Event& event : events) {
      if (event.kind == EventKind::enter) frames.push_back({event.id, {}});
      if (event.kind == EventKind::exit && !frames.empty()) frames.pop_back();
      if (event.kind != EventKind::block || frames.empty()) continue;
      frames.back().blocks.push_back(event.id);
      if (frames.back().blocks.size() < length) continue;
      const std::vector<std::uint32_t>& all = frames.back().blocks;
      long_enough.push_back(
          {frames.back().function, {all.end() - static_cast<std::ptrdiff_t>(length), all.end()}});
      if (long_enough.size() > 200) break;
    }
    if (long_enough.empty()) continue;
    const Frame& chosen = long_enough[below(long_enough.size())];
    queries.push_back({{path_of(chosen.function, chosen.blocks)}, ""});
    if (round % 2 == 0) {
      // Steps of several blocks.
      Path path = queries.back().paths[0];
      for (std::vector<BlockId>& step : path.steps) {
        for (std::uint32_t more = below(3); more > 0; --more) {
          step.push_back(BlockId{1 + below(blocks)});
        }
      }
      queries.push_back({{path}, ""});
    }
  }
  return queries;
}

// Every size of segment and chunk that can hide a mistake, with and without an index.
void expect_agreement_in_all_sizes(const testing::Recording& recording,
                                   std::span<const Query> queries,
                                   const FindOptions& options = {}) {
  const testing::Scratch scratch;
  const std::size_t length = recording.streams.front().events.size();
  for (testing::PackWay way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    for (const std::size_t segment : {std::size_t{1}, std::size_t{9}, length}) {
      if (segment == 1 && (length > 300 || testing::kSanitized)) continue;
      for (const std::uint64_t chunk : {1U, 17U, 1U << 20}) {
        if (way.options.form == Form::grammar && chunk > 1) break;
        for (const bool index : {true, false}) {
          way.options.chunk_bytes = chunk;
          way.options.index = index;
          expect_all_schemes_agree(scratch, recording, queries, way.options, segment, options);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Matching, all_schemes_give_what_the_obvious_matcher_gives_on_random_traces) {
  const std::uint64_t rounds = testing::kSanitized ? 4 : 16;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::TraceShape shape;
    shape.functions = 1 + static_cast<std::uint32_t>(seed % 4);
    shape.blocks = 2 + static_cast<std::uint32_t>(seed % 3);
    shape.enters = 1 + static_cast<std::uint32_t>(seed / 2 % 4);
    shape.exits = static_cast<std::uint32_t>(seed / 3 % 4);
    const testing::Recording recording =
        testing::one_stream(testing::random_trace(seed, 20 + 37 * (seed % 9), shape));
    expect_agreement_in_all_sizes(recording,
                                  some_queries(recording, seed, shape.functions, shape.blocks));
    if (HasFatalFailure()) return;
  }
}

TEST(Matching, single_queries_agree_too) {
  for (std::uint64_t seed = 0; seed < (testing::kSanitized ? 1 : 2); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::TraceShape shape;
    shape.blocks = 3;
    const testing::Recording recording =
        testing::one_stream(testing::random_trace(seed, 150, shape));
    for (const Query& query : some_queries(recording, seed, 4, 3)) {
      expect_agreement_in_all_sizes(recording, std::span(&query, 1));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Matching, streams_are_searched_in_order_and_bounds_hold_the_last_block) {
  for (std::uint64_t seed = 0; seed < (testing::kSanitized ? 1 : 3); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const testing::Recording recording = testing::full_recording(seed, 200);
    const std::vector<Query> queries = some_queries(recording, seed, 4, 6);
    std::mt19937_64 random(seed);
    FindOptions options;
    expect_agreement_in_all_sizes(recording, queries, options);
    options.from = Position{StreamId{0}, random() % 200};
    expect_agreement_in_all_sizes(recording, queries, options);
    options.to = Position{StreamId{3}, random() % 100};
    expect_agreement_in_all_sizes(recording, queries, options);
    options.stream = StreamId{0};
    options.to = Position{StreamId{0}, options.from->index + random() % 100};
    expect_agreement_in_all_sizes(recording, queries, options);
    if (HasFatalFailure()) return;
  }
}

TEST(Matching, large_ids_of_blocks_and_functions_are_told_apart) {
  std::vector<Event> events;
  std::mt19937_64 random(3);
  constexpr std::uint32_t kBlocks[] = {1, 239, 240, 241, 367, 368, 4095, 4096, 70000, UINT32_MAX};
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t roll = random() % 20;
    if (roll == 0)
      events.push_back(Event::enter(FunctionId{static_cast<std::uint32_t>(130 + random() % 3)}));
    if (roll == 1) events.push_back(Event::exit());
    if (roll > 1) events.push_back(Event::block(BlockId{kBlocks[random() % std::size(kBlocks)]}));
  }
  const testing::Recording recording = testing::one_stream(events, 200);
  std::vector<Query> queries;
  for (const std::uint32_t first : kBlocks) {
    queries.push_back({{path_of(131, {first})}, ""});
    for (const std::uint32_t second : kBlocks) {
      queries.push_back({{path_of(131, {first, second})}, ""});
    }
  }
  expect_agreement_in_all_sizes(recording, queries);
}

}  // namespace
}  // namespace pathspool
