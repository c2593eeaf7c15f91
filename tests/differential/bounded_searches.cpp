// Searches from a position on: they look at little of what comes before, and miss nothing.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "differential/match_reference.h"
#include "pathspool/find.h"
#include "support/random_trace.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

Path path_of(std::uint32_t function, const std::vector<std::uint32_t>& blocks) {
  Path path{FunctionId{function}, {}};
  for (const std::uint32_t block : blocks) path.steps.push_back({BlockId{block}});
  return path;
}

FindOptions bounded(std::uint64_t from, std::uint64_t to, Scheme scheme = Scheme::automatic) {
  FindOptions options;
  options.wish = Wish::all;
  options.scheme = scheme;
  options.from = Position{StreamId{0}, from};
  options.to = Position{StreamId{0}, to};
  return options;
}

// Every bound below, and some above.
void expect_all_bounds_hold(const Spool& spool, std::span<const Event> events,
                            std::span<const Query> queries, Scheme scheme,
                            std::mt19937_64& random) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const Query& query : queries) {
    all.push_back(testing::reference_matches(events, query.paths[0]));
  }
  for (std::uint64_t from = 0; from < events.size(); ++from) {
    const std::uint64_t to =
        random() % 2 == 0 ? events.size() : from + 1 + random() % (events.size() - from);
    SCOPED_TRACE("from " + std::to_string(from) + " to " + std::to_string(to));
    const FindResult result = find(spool, queries, bounded(from, to, scheme));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::vector<Position> expected;
      for (const std::uint64_t index : all[i]) {
        if (index >= from && index < to) expected.push_back({StreamId{0}, index});
      }
      ASSERT_TRUE(result.answers[i].positions == expected) << "query " << i;
    }
  }
}

TEST(BoundedSearches, every_bound_holds_whatever_the_frames_around_it) {
  const testing::Scratch scratch;
  for (std::uint64_t seed = 0; seed < (testing::kSanitized ? 3 : 12); ++seed) {
    testing::TraceShape shape;
    shape.functions = 1 + static_cast<std::uint32_t>(seed % 3);
    shape.blocks = 2;
    shape.enters = 1 + static_cast<std::uint32_t>(seed % 2);
    shape.exits = 1 + static_cast<std::uint32_t>(seed / 2 % 2);
    const std::vector<Event> events = testing::random_trace(seed, 160, shape);
    const testing::Recording recording = testing::one_stream(events);
    const Query queries[] = {{{path_of(0, {1, 2, 1})}, ""},
                             {{path_of(0, {1, 1, 2, 1, 1})}, ""},
                             {{path_of(1, {2, 1})}, ""},
                             {{path_of(0, {2})}, ""}};
    std::mt19937_64 random(seed);
    for (const std::size_t segment_events : {11U, 70U, 1000U}) {
      for (const std::uint64_t chunk_bytes : {1U, 4U, 13U}) {
        for (const bool index : {true, false}) {
          SCOPED_TRACE("seed " + std::to_string(seed) + ", segments of " +
                       std::to_string(segment_events) + ", chunks of " +
                       std::to_string(chunk_bytes) + (index ? ", index" : ""));
          PackOptions options;
          options.chunk_bytes = chunk_bytes;
          options.index = index;
          testing::write_segmented(scratch.file("a"), recording, options, segment_events);
          const Spool spool = Spool::open(scratch.file("a"));
          const Scheme scheme = seed % 2 == 0 ? Scheme::automatic : Scheme::chunks;
          expect_all_bounds_hold(spool, events, queries, scheme, random);
          expect_all_bounds_hold(spool, events, std::span(queries).first(1), scheme, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// A frame of function 0 that is always open, many short ones of function 1, and now and then a
// block of the first.
std::vector<Event> one_long_frame() {
  std::vector<Event> events = {Event::enter(FunctionId{0})};
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    if (i % 100 == 0) events.push_back(Event::block(BlockId{1 + i / 100 % 3}));
    events.push_back(Event::enter(FunctionId{1}));
    events.push_back(Event::block(BlockId{1}));
    events.push_back(Event::exit());
  }
  return events;
}

TEST(BoundedSearches, little_is_read_of_what_comes_before) {
  const testing::Scratch scratch;
  const std::vector<Event> events = one_long_frame();
  for (const std::size_t segment_events : {std::size_t{1} << 30, std::size_t{20'000}}) {
    PackOptions options;
    options.chunk_bytes = 200;  // about 50 events
    testing::write_segmented(scratch.file("a"), testing::one_stream(events), options,
                             segment_events);
    const Spool spool = Spool::open(scratch.file("a"));
    const std::uint64_t from = 45'000;
    const Query of_long{{path_of(0, {1, 2, 3, 1})}, ""};
    const FindResult rare = find(spool, std::span(&of_long, 1), bounded(from, from + 2000));
    EXPECT_EQ(rare.answers[0].positions.size(), 3U);
    EXPECT_LE(rare.cost.chunks, 14U);  // those within the bounds that hold it, and three before
    const Query of_short{{path_of(1, {1})}, ""};
    const FindResult often = find(spool, std::span(&of_short, 1), bounded(from, from + 90));
    EXPECT_EQ(often.answers[0].positions.size(), 30U);
    EXPECT_LE(often.cost.chunks, 4U);
    const Query never{{path_of(0, {1, 3})}, ""};
    const FindResult none = find(spool, std::span(&never, 1), bounded(from, from + 90));
    EXPECT_FALSE(none.answers[0].found);
    EXPECT_LE(none.cost.chunks, 3U);
  }
}

}  // namespace
}  // namespace pathspool
