#include "match/grammar_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "grammar/grammar_encoder.h"
#include "spool/grammar_form.h"
#include "spool/spool_impl.h"
#include "support/path_query.h"
#include "support/random_program.h"
#include "support/random_trace.h"
#include "support/recording.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool::match {
namespace {

using testing::numbered;
using testing::query;
using testing::TraceShape;

// Where paths occur, said once more: every block is held against the blocks of its frame so far.
std::vector<std::vector<std::uint64_t>> obvious(std::span<const Event> events,
                                                std::span<const PathQuery> queries) {
  struct Frame {
    FunctionId function;
    std::vector<BlockId> blocks;
  };
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint64_t>> found(queries.size());
  for (std::uint64_t at = 0; at < events.size(); ++at) {
    const Event& event = events[at];
    if (event.kind == EventKind::enter) frames.push_back({event.function(), {}});
    if (event.kind == EventKind::exit && !frames.empty()) frames.pop_back();
    if (event.kind != EventKind::block || frames.empty()) continue;
    std::vector<BlockId>& blocks = frames.back().blocks;
    blocks.push_back(event.block_id());
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const PathAutomaton::Steps& steps = queries[query].steps;
      if (queries[query].function != frames.back().function) continue;
      if (blocks.size() < steps.size()) continue;
      bool same = true;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        same = same && std::ranges::count(steps[i], blocks[blocks.size() - steps.size() + i]) > 0;
      }
      if (same) found[query].push_back(at);
    }
  }
  return found;
}

// Paths that occur, paths that nearly do, paths of repeated blocks, steps of several blocks.
std::vector<PathQuery> random_queries(std::span<const Event> events, std::uint64_t seed,
                                      std::size_t count) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  std::vector<PathQuery> queries;
  while (queries.size() < count) {
    PathQuery asked;
    asked.function = FunctionId{below(4)};
    const std::size_t length = 1 + below(6);
    // The blocks of one frame from somewhere on.
    std::int64_t level = 0;
    for (std::size_t at = below(events.size()); at < events.size(); ++at) {
      const Event& event = events[at];
      if (event.kind == EventKind::enter && ++level == 1 && asked.steps.empty()) {
        asked.function = event.function();
        level = 0;
      }
      if (event.kind == EventKind::exit && --level < 0) break;
      if (event.kind == EventKind::block && level == 0) asked.steps.push_back({event.block_id()});
      if (asked.steps.size() == length) break;
    }
    if (asked.steps.empty() || below(4) == 0) {
      asked.steps.clear();
      for (std::size_t i = 0; i < length; ++i) asked.steps.push_back({BlockId{1 + below(3)}});
    }
    if (below(4) == 0) asked.steps[below(asked.steps.size())].push_back(BlockId{1 + below(3)});
    queries.push_back(std::move(asked));
  }
  return queries;
}

Search search_file(const Spool& spool, std::span<const FunctionPaths> functions,
                   std::size_t queries, Wish wish, Bounds bounds, bool use_index) {
  Search search(functions, queries, wish);
  search.bounds = bounds;
  search.use_index = use_index;
  for (const std::size_t number : spool.impl().segments_of(StreamId{0})) {
    const auto segment = spool.impl().segment(number);
    search_grammar(dynamic_cast<const spool::GrammarSegmentReader&>(*segment), search);
    if (search.done()) break;
  }
  EXPECT_EQ(search.cost.events_scanned, 0U);
  EXPECT_TRUE(search.unsearched.empty());
  return search;
}

// Both schemes, every wish, against the obvious.
void expect_obvious_answers(const std::vector<Event>& events, std::span<const PathQuery> queries,
                            Symbols symbols, std::size_t segment_events, Bounds bounds = {},
                            std::uint32_t chunk_symbols = 1) {
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = symbols;
  const testing::Scratch scratch;
  const auto path = scratch.file("trace.spool");
  grammar::EncodeLimits limits;
  limits.min_chunk_symbols = chunk_symbols;
  limits.block_rules = 5;
  testing::write_segmented(path, testing::one_stream(events, 8), options, segment_events, limits);
  const Spool spool = Spool::open(path);
  auto expected = obvious(events, queries);
  for (auto& positions : expected) {
    std::erase_if(positions, [&](std::uint64_t at) { return at < bounds.from || at >= bounds.to; });
  }
  const std::vector<FunctionPaths> functions = numbered({queries.begin(), queries.end()});
  for (const bool use_index : {false, true}) {
    const auto answers = [&](Wish wish) {
      return search_file(spool, functions, queries.size(), wish, bounds, use_index).answers;
    };
    const auto exists = answers(Wish::exists);
    const auto first = answers(Wish::first);
    const auto count = answers(Wish::count);
    const auto all = answers(Wish::all);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << "query " << i << ", index " << use_index);
      EXPECT_EQ(all[i].positions, expected[i]);
      EXPECT_EQ(count[i].count, expected[i].size());
      EXPECT_EQ(exists[i].first.has_value(), !expected[i].empty());
      EXPECT_EQ(first[i].first,
                expected[i].empty() ? std::nullopt : std::optional(expected[i].front()));
    }
  }
}

class EveryAlphabet : public ::testing::TestWithParam<Symbols> {};

TEST_P(EveryAlphabet, schemes_2_and_4_find_what_is_obvious_in_random_traces) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    TraceShape shape;
    shape.functions = 1 + static_cast<std::uint32_t>(seed % 4);
    shape.blocks = 2 + static_cast<std::uint32_t>(seed % 3);
    shape.exits = 1 + static_cast<std::uint32_t>(seed % 3);  // unfinished, balanced, begun inside
    shape.repeats = 3 + static_cast<std::uint32_t>(seed % 5);
    const std::vector<Event> events = testing::random_trace(seed, 50 + 40 * (seed % 20), shape);
    const std::vector<PathQuery> queries = random_queries(events, seed, 1 + seed % 5);
    const std::size_t segment_events = seed % 3 == 0 ? events.size() : 1 + seed * 7 % 300;
    expect_obvious_answers(events, queries, GetParam(), segment_events, {},
                           1 + static_cast<std::uint32_t>(seed % 7));
  }
}

TEST_P(EveryAlphabet, schemes_2_and_4_find_what_is_obvious_in_runs_of_random_programs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    testing::RandomProgram program(seed);
    const std::vector<Event> events = program.run(3000);
    const std::vector<PathQuery> queries = random_queries(events, seed, 4);
    expect_obvious_answers(events, queries, GetParam(), seed % 2 == 0 ? events.size() : 700);
  }
}

TEST_P(EveryAlphabet, bounds_cut_through_rules_and_phrases) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    TraceShape shape;
    shape.functions = 2;
    shape.blocks = 3;
    shape.repeats = 8;
    const std::vector<Event> events = testing::random_trace(seed, 500, shape);
    const std::vector<PathQuery> queries = random_queries(events, seed, 3);
    std::mt19937_64 random(seed);
    Bounds bounds;
    bounds.from = random() % events.size();
    bounds.to = bounds.from + random() % (events.size() + 100 - bounds.from);
    expect_obvious_answers(events, queries, GetParam(), seed % 2 == 0 ? events.size() : 90, bounds);
  }
}

TEST_P(EveryAlphabet, paths_of_repeated_blocks_and_across_calls_are_counted_with_overlaps) {
  std::vector<Event> events;
  const auto blocks = [&](std::initializer_list<std::uint32_t> ids) {
    for (const std::uint32_t id : ids) events.push_back(Event::block(BlockId{id}));
  };
  for (int turn = 0; turn < 50; ++turn) {
    events.push_back(Event::enter(FunctionId{0}));
    blocks({1, 1, 2, 1, 1});
    events.push_back(Event::enter(FunctionId{static_cast<std::uint32_t>(turn % 3 == 0 ? 0 : 1)}));
    blocks({1, 1, 2});
    events.push_back(Event::exit());
    blocks({2, 1, 1, 2, 1, 1});
    if (turn % 5 != 0) events.push_back(Event::exit());
  }
  const std::vector<PathQuery> queries = {query(0, {1, 1, 2, 1, 1}), query(0, {1, 1}),
                                          query(0, {1}), query(0, {1, 1, 2, 2, 1}),
                                          query(0, std::vector<std::uint32_t>(40, 1))};
  expect_obvious_answers(events, queries, GetParam(), events.size());
  expect_obvious_answers(events, queries, GetParam(), 17);
  expect_obvious_answers(events, queries, GetParam(), 1);
}

// Figures 2 and 6: main calls F1, which calls itself in B2. `B1 B2 B3` takes the blocks of one
// call.
TEST_P(EveryAlphabet, figure_6_blocks_of_two_calls_are_not_mixed) {
  const Event main = Event::enter(FunctionId{1});
  const Event f1 = Event::enter(FunctionId{0});
  const Event b1 = Event::block(BlockId{1});
  const Event b2 = Event::block(BlockId{2});
  const Event b3 = Event::block(BlockId{3});
  const Event e = Event::exit();
  const std::vector<Event> events = {main, b1, f1, b1, b2, f1, b1, b2, b3, e, b3, e, b2, e};
  const std::vector<PathQuery> queries = {query(0, {1, 2, 3})};
  EXPECT_EQ(obvious(events, queries).front(), (std::vector<std::uint64_t>{8, 10}));
  expect_obvious_answers(events, queries, GetParam(), events.size());
}

// Figure 9: only one part of the start rule derives blocks of the function.
TEST_P(EveryAlphabet, figure_9_rules_of_other_parts_are_never_decoded) {
  std::vector<Event> events;
  std::mt19937_64 random(9);
  // Turns of one function each, with rules of their own.
  for (const std::uint32_t function : {1U, 2U, 0U, 3U, 1U}) {
    for (int call = 0; call < 300; ++call) {
      events.push_back(Event::enter(FunctionId{function}));
      for (int i = 0; i < 8; ++i) {
        const auto id = static_cast<std::uint32_t>(1 + 10 * function + random() % 3);
        events.push_back(Event::block(BlockId{id}));
      }
      events.push_back(Event::exit());
    }
  }
  const std::vector<PathQuery> queries = {query(0, {1, 2, 3})};
  const std::vector<FunctionPaths> functions = numbered(queries);
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = GetParam();
  grammar::EncodeLimits limits;
  limits.min_chunk_symbols = 1;
  limits.block_rules = 5;
  const testing::Scratch scratch;
  const auto path = scratch.file("trace.spool");
  testing::write_segmented(path, testing::one_stream(events, 8), options, events.size(), limits);
  const Spool by_scheme_2 = Spool::open(path);
  const Spool by_scheme_4 = Spool::open(path);
  const Search all = search_file(by_scheme_2, functions, 1, Wish::count, {}, false);
  const Search some = search_file(by_scheme_4, functions, 1, Wish::count, {}, true);
  EXPECT_GT(all.answers[0].count, 0U);
  EXPECT_EQ(some.answers[0].count, all.answers[0].count);
  EXPECT_EQ(all.cost.chunks_skipped, 0U);
  EXPECT_EQ(some.cost.chunks + some.cost.chunks_skipped, all.cost.chunks);
  EXPECT_LT(some.cost.chunks, all.cost.chunks / 3);
  EXPECT_LT(some.cost.rules, all.cost.rules / 2);
}

// Whatever byte is wrong: an error, or what could not be searched is named, or nothing is missing.
TEST_P(EveryAlphabet, damage_never_hides_an_occurrence_silently) {
  TraceShape shape;
  shape.functions = 2;
  shape.blocks = 3;
  const std::vector<Event> events = testing::random_trace(5, 600, shape);
  const std::vector<PathQuery> queries = {query(0, {1, 2}), query(1, {2})};
  const auto expected = obvious(events, queries);
  const std::vector<FunctionPaths> functions = numbered(queries);
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = GetParam();
  grammar::EncodeLimits limits;
  limits.min_chunk_symbols = 30;
  limits.block_rules = 12;
  const testing::Scratch scratch;
  const auto path = scratch.file("trace.spool");
  testing::write_segmented(path, testing::one_stream(events, 8), options, 300, limits);
  const base::Bytes whole = testing::read_whole(path);
  std::size_t named = 0;
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    base::Bytes damaged = whole;
    damaged[at] ^= 0x10;
    testing::write_whole(path, damaged);
    Search search(functions, queries.size(), Wish::all);
    try {
      const Spool spool = Spool::open(path);
      for (const std::size_t number : spool.impl().segments_of(StreamId{0})) {
        const auto segment = spool.impl().segment(number);
        search_grammar(dynamic_cast<const spool::GrammarSegmentReader&>(*segment), search);
      }
    } catch (const Error&) {
      continue;
    }
    if (!search.unsearched.empty()) ++named;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto& found = search.answers[i].positions;
      EXPECT_TRUE(std::ranges::includes(expected[i], found)) << "byte " << at;
      EXPECT_TRUE(!search.unsearched.empty() || found == expected[i]) << "byte " << at;
    }
  }
  EXPECT_GT(named, 10U);
}

INSTANTIATE_TEST_SUITE_P(Symbols, EveryAlphabet,
                         ::testing::Values(Symbols::blocks, Symbols::segments),
                         [](const auto& each) { return std::string(name_of(each.param)); });

}  // namespace
}  // namespace pathspool::match
