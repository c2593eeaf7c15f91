// Control-flow graphs come back from the file, and events that leave them are found.
#include <gtest/gtest.h>

#include <algorithm>

#include "pathspool/pack.h"
#include "support/graph_walk.h"
#include "support/pack_ways.h"
#include "support/random_program.h"
#include "support/recording.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

using testing::GraphWalk;
using testing::GraphWalkOptions;
using testing::Recording;

TEST(Graphs, random_programs_come_back_from_every_form_and_their_runs_stay_on_them) {
  const testing::Scratch scratch;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    testing::RandomProgram program(seed, 2 + static_cast<std::uint32_t>(seed) * 3);
    Recording recording;
    recording.functions = program.functions();
    recording.streams = {{StreamId{0}, "1/1 main", std::nullopt, program.run(4000)},
                         {StreamId{1}, "1/2 work", StreamId{0}, program.run(700)}};
    for (const testing::PackWay& way : testing::main_pack_ways()) {
      SCOPED_TRACE(way.name + ", seed " + std::to_string(seed));
      testing::write_spool(scratch.file("a"), recording, way.options);
      testing::expect_intact(scratch.file("a"));
      const Spool spool = Spool::open(scratch.file("a"));
      EXPECT_EQ(testing::read_spool(spool), recording);
      const auto wrong = testing::off_the_graph(spool);
      EXPECT_FALSE(wrong.has_value()) << wrong->position.index << ": " << wrong->what;
    }
  }
}

// The index of the first event that leaves the graph.
std::optional<std::size_t> first_off(const std::vector<Function>& functions,
                                     const std::vector<Event>& events,
                                     const GraphWalkOptions& options = {}) {
  FunctionTable table;
  for (const Function& function : functions) table.add(function);
  GraphWalk walk(table, options);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (walk.step(events[i])) return i;
  }
  return std::nullopt;
}

TEST(Graphs, a_block_that_is_no_successor_is_found_where_it_is) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    testing::RandomProgram program(seed);
    std::vector<Event> events = program.run(300);
    ASSERT_EQ(first_off(program.functions(), events), std::nullopt);
    for (std::size_t i = 1; i < events.size(); ++i) {
      // After its enter a function has block 1, and nothing leads back to that.
      if (events[i].kind != EventKind::block) continue;
      const bool first = events[i - 1].kind == EventKind::enter;
      std::vector<Event> changed = events;
      changed[i] = Event::block(BlockId{first ? 2U : 1U});
      ASSERT_EQ(first_off(program.functions(), changed), i);
      changed[i] = Event::block(BlockId{100});
      ASSERT_EQ(first_off(program.functions(), changed), i);
    }
  }
}

// main calls work and jumps; work calls nothing, or printf, or itself at its end.
class SmallProgram : public ::testing::Test {
 protected:
  static constexpr FunctionId kMain{0};
  static constexpr FunctionId kWork{1};
  static constexpr FunctionId kOther{2};
  static constexpr FunctionId kBare{3};

  SmallProgram() {
    functions_.resize(4);
    functions_[0].name = "main";
    functions_[0].blocks = {block(Terminator::jump, {2}, {}),
                            block(Terminator::conditional, {2, 3}, {{CallKind::direct, "work"}}),
                            block(Terminator::invoke, {4, 5}, {{CallKind::external, "qsort"}}),
                            block(Terminator::returned, {}, {{CallKind::indirect, ""}}),
                            block(Terminator::resumed, {}, {})};
    functions_[1].name = "work";
    functions_[1].blocks = {block(Terminator::conditional, {2, 3}, {}),
                            block(Terminator::returned, {}, {{CallKind::direct, "other"}}),
                            block(Terminator::unreachable, {}, {}),
                            block(Terminator::returned, {}, {})};
    functions_[2].name = "other";
    functions_[2].blocks = {
        block(Terminator::conditional, {2, 3}, {{CallKind::external, "_setjmp"}}),
        block(Terminator::jump, {2}, {}), block(Terminator::returned, {}, {})};
    functions_[3].name = "bare";
  }

  static Block block(Terminator terminator, const std::vector<std::uint32_t>& successors,
                     std::vector<CallSite> calls) {
    Block made;
    made.terminator = terminator;
    for (const std::uint32_t id : successors) made.successors.push_back(BlockId{id});
    made.calls = std::move(calls);
    return made;
  }
  static Event in(FunctionId function) { return Event::enter(function); }
  static Event b(std::uint32_t id) { return Event::block(BlockId{id}); }
  static Event e() { return Event::exit(); }

  void expect_good(const std::vector<Event>& events, const GraphWalkOptions& options = {}) {
    EXPECT_EQ(first_off(functions_, events, options), std::nullopt);
  }
  void expect_bad_at_the_end(const std::vector<Event>& events,
                             const GraphWalkOptions& options = {}) {
    EXPECT_EQ(first_off(functions_, events, options), events.size() - 1);
  }

  std::vector<Function> functions_;
};

TEST_F(SmallProgram, calls_returns_and_frames_open_at_the_end_are_good) {
  expect_good({in(kMain), b(1), b(2), in(kWork), b(1), b(2), e(), b(2), b(3), b(4), e()});
  expect_good({in(kMain), b(1), b(2), in(kWork), b(1)});
  expect_good({in(kMain), b(1), b(2), in(kWork)});
  expect_good({});
}

TEST_F(SmallProgram, enters_where_nothing_is_called_are_found) {
  expect_bad_at_the_end({in(kMain), b(1), in(kWork)});
  expect_bad_at_the_end({in(kMain), in(kWork)});
  expect_bad_at_the_end({in(kMain), b(1), b(2), in(kOther)});
  // What is outside may call back, also what is not in its place.
  expect_good({in(kMain), b(1), b(2), b(3), in(kOther), b(1)});
  expect_good({in(kMain), b(1), b(2), b(3), in(kMain), b(1)});
  expect_good({in(kMain), b(1), b(2), b(3), b(4), in(kWork), b(1)});
}

TEST_F(SmallProgram, exits_where_nothing_returns_are_found) {
  expect_bad_at_the_end({in(kMain), b(1), e()});
  expect_bad_at_the_end({in(kMain), e()});
  expect_bad_at_the_end({in(kMain), b(1), b(2), in(kWork), b(1), b(3), e()});
  expect_good({in(kMain), b(1), b(2), in(kWork), b(1), b(2), e()});
  // By an exception: main was in a call.
  expect_good({in(kMain), b(1), b(2), e()});
  expect_good({in(kMain), b(1), b(2), b(3), b(5), e()});
}

TEST_F(SmallProgram, what_comes_after_a_tail_call_belongs_to_the_caller) {
  // work has ended when it calls other.
  expect_good({in(kMain), b(1), b(2), in(kWork), b(1), b(2), e(), in(kOther), b(1)});
  expect_bad_at_the_end({in(kMain), b(1), b(2), in(kWork), b(1), b(2), e(), in(kMain)});
  expect_bad_at_the_end({in(kMain), b(1), b(2), in(kWork), b(1), b(2), e(), b(2), in(kOther)});
}

TEST_F(SmallProgram, a_frame_goes_on_after_setjmp_again) {
  expect_good({in(kOther), b(1), b(2), b(2), b(3), e()});
  expect_good({in(kOther), b(1), b(2), b(2), in(kMain), b(1)});
  functions_[2].blocks[0].calls[0].callee = "getpid";
  expect_bad_at_the_end({in(kOther), b(1), b(2), b(2), b(3)});
  expect_bad_at_the_end({in(kOther), b(1), b(2), b(2), in(kMain)});
}

TEST_F(SmallProgram, a_forked_childs_frames_come_without_their_blocks) {
  GraphWalkOptions child;
  child.copied_frames_first = true;
  expect_good({in(kMain), in(kWork), b(2), e(), b(2), in(kWork), b(1)}, child);
  expect_good({in(kMain), in(kWork), e(), e()}, child);
  expect_bad_at_the_end({in(kMain), in(kWork), b(2), e(), b(2), in(kWork), b(2)}, child);
  expect_bad_at_the_end({in(kMain), in(kWork), b(2), e(), b(1), in(kWork)}, child);
  expect_bad_at_the_end({in(kMain), in(kWork), b(2), e(), b(1), b(3)}, child);
}

TEST_F(SmallProgram, handlers_are_entered_and_left_anywhere) {
  GraphWalkOptions signals;
  signals.signals = true;
  expect_good({in(kMain), b(1), in(kWork), b(1), e(), e()}, signals);
  expect_bad_at_the_end({in(kMain), b(1), in(kWork), b(1), b(1)}, signals);
}

TEST_F(SmallProgram, what_is_not_known_is_not_judged) {
  expect_good({in(kBare), b(7), in(kMain), b(1), b(2), e(), b(9), e()});
  expect_good({in(kMain), b(1), b(2), b(3), in(kBare), e(), in(kBare), e(), b(4)});
}

TEST_F(SmallProgram, events_without_a_frame_are_good_only_after_a_late_start) {
  expect_bad_at_the_end({e()});
  expect_bad_at_the_end({b(1)});
  expect_bad_at_the_end({in(kMain), b(1), b(2), b(3), b(4), e(), e()});
  GraphWalkOptions late;
  late.late = true;
  expect_good({b(7), e(), in(kMain), b(1), b(2), b(3), b(4), e(), e(), b(3)}, late);
}

}  // namespace
}  // namespace pathspool
