#include "match/summary.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "match/search.h"
#include "support/random_trace.h"

namespace pathspool::match {
namespace {

std::vector<FunctionPaths> paths(std::initializer_list<std::vector<std::uint32_t>> all,
                                 std::uint32_t functions = 1) {
  std::vector<PathQuery> queries;
  for (const std::vector<std::uint32_t>& blocks : all) {
    PathQuery query;
    query.number = static_cast<std::uint32_t>(queries.size());
    query.function = FunctionId{query.number % functions};
    for (const std::uint32_t block : blocks) query.steps.push_back({BlockId{block}});
    queries.push_back(query);
  }
  return paths_by_function(queries);
}

std::vector<Event> few_events(std::uint64_t seed, std::size_t length) {
  testing::TraceShape shape;
  shape.functions = 3;
  shape.blocks = 2;
  return testing::random_trace(seed, length, shape);
}

// A scan of the events, one state for each known frame.
OccurrencesByQuery scan(std::span<const Event> events, const SummaryStates& states,
                        std::vector<SummaryStates::State>& frames) {
  OccurrencesByQuery found;
  for (std::uint64_t at = 0; at < events.size(); ++at) {
    const Event& event = events[at];
    if (event.kind == EventKind::enter) frames.push_back(states.entered(event.function()));
    if (frames.empty()) continue;
    if (event.kind == EventKind::exit) frames.pop_back();
    if (event.kind != EventKind::block) continue;
    frames.back() = states.next(frames.back(), event.block_id());
    for (const std::uint32_t query : states.found(frames.back())) {
      add_occurrences(found, {{query, {1, 0}}}, at);
    }
  }
  return found;
}

RC_GTEST_PROP(Summary, concat_is_associative, ()) {
  const auto functions = paths({{1, 2, 1}, {2, 2}, {1, 1}, {2}}, 2);
  const SummaryStates states(functions);
  const auto part = [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    return Summary(few_events(seed, *rc::gen::inRange<std::size_t>(0, 30)), states);
  };
  const Summary a = part();
  const Summary b = part();
  const Summary c = part();
  RC_ASSERT(concat(concat(a, b), c) == concat(a, concat(b, c)));
  RC_ASSERT(concat(a, Summary()) == a);
  RC_ASSERT(concat(Summary(), a) == a);
}

RC_GTEST_PROP(Summary, of_a_trace_is_the_scan_of_it, ()) {
  const auto functions = paths({{1, 2, 1}, {2, 2}, {1, 1}, {2}}, 2);
  const SummaryStates states(functions);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<Event> events = few_events(seed, *rc::gen::inRange<std::size_t>(0, 80));
  std::vector<SummaryStates::State> frames = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::inRange<std::uint32_t>(0, states.count()));
  std::vector<SummaryStates::State> scanned = frames;
  RC_ASSERT(Summary(events, states).apply(frames) == scan(events, states, scanned));
  RC_ASSERT(frames == scanned);
}

// Fig. 4 would take the one across the seam, which ends at 6.
TEST(Summary, the_first_occurrence_is_the_lesser_of_across_and_inside) {
  const auto functions = paths({{1, 2}});
  const SummaryStates states(functions);
  const Event enter = Event::enter(FunctionId{0});
  const Event one = Event::block(BlockId{1});
  const Event two = Event::block(BlockId{2});
  const std::vector<Event> left = {enter, one};
  const std::vector<Event> right = {enter, one, two, Event::exit(), two};
  const Summary both = concat(Summary(left, states), Summary(right, states));
  EXPECT_EQ(both.found, (OccurrencesByQuery{{0, {2, 4}}}));
}

// The paper's example of level flags: aEbEcFdFgFh.
TEST(Summary, levels_of_the_papers_example) {
  const auto functions = paths({{1, 2}});
  const SummaryStates states(functions);
  const Event block = Event::block(BlockId{1});
  const Event enter = Event::enter(FunctionId{1});
  const std::vector<Event> events = {block, Event::exit(), block, Event::exit(), block, enter,
                                     block, enter,         block, enter,         block};
  const Summary summary(events, states);
  EXPECT_EQ(summary.pops, 2U);           // fentry = 3, freturn = 2
  EXPECT_EQ(summary.pushed.size(), 3U);  // fexit = 4
  EXPECT_EQ(summary.touched.size(), 3U);
}

}  // namespace
}  // namespace pathspool::match
