#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "playback/decision_maker.h"
#include "playback/player.h"
#include "support/random_program.h"
#include "support/random_trace.h"

namespace pathspool::playback {
namespace {

enum class Kind { conditional, choice, jump, target, entered, exited };

struct Decision {
  Kind kind;
  std::uint32_t site = 0;
  std::uint32_t count = 0;
  std::uint32_t value = 0;
};

// Everything that a DecisionMaker says, in order.
struct Decisions {
  std::vector<Decision> list;
  std::vector<Escape> escapes;

  void conditional(std::uint32_t site, bool taken) {
    list.push_back({Kind::conditional, site, 2, taken});
  }
  void choice(std::uint32_t site, std::uint32_t count, std::uint32_t index) {
    list.push_back({Kind::choice, site, count, index});
  }
  void jump(std::uint32_t site, std::uint32_t count, std::uint32_t index) {
    list.push_back({Kind::jump, site, count, index});
  }
  void target(std::uint32_t site, std::uint32_t answer) {
    list.push_back({Kind::target, site, 0, answer});
  }
  void entered(std::uint32_t site) { list.push_back({Kind::entered, site}); }
  void exited() { list.push_back({Kind::exited}); }
  void escape(const Escape& escape) { escapes.push_back(escape); }

  [[nodiscard]] std::size_t count_of(Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(list, kind, &Decision::kind));
  }
};

// Gives them again, and sees that the same is asked for.
struct Replies {
  const Decisions& decisions;
  std::size_t at = 0;
  std::size_t escape_at = 0;

  std::uint32_t next(Kind kind, std::uint32_t site, std::uint32_t count) {
    if (at == decisions.list.size()) throw Error("no decisions are left");
    const Decision& decision = decisions.list[at++];
    EXPECT_EQ(decision.kind, kind);
    EXPECT_EQ(decision.site, site);
    EXPECT_EQ(decision.count, count);
    return decision.value;
  }
  bool conditional(std::uint32_t site) { return next(Kind::conditional, site, 2) != 0; }
  std::uint32_t choice(std::uint32_t site, std::uint32_t count) {
    return next(Kind::choice, site, count);
  }
  std::uint32_t jump(std::uint32_t site, std::uint32_t count) {
    return next(Kind::jump, site, count);
  }
  std::uint32_t target(std::uint32_t site) { return next(Kind::target, site, 0); }
  void entered(std::uint32_t site) { next(Kind::entered, site, 0); }
  void exited() { next(Kind::exited, 0, 0); }
  std::optional<Escape> escape() {
    if (escape_at == decisions.escapes.size()) return std::nullopt;
    return decisions.escapes[escape_at++];
  }
};

Function named(const char* name) {
  Function function;
  function.name = name;
  return function;
}

Block ending(Terminator terminator, std::vector<CallSite> calls = {}) {
  Block block;
  block.terminator = terminator;
  block.calls = std::move(calls);
  return block;
}

FunctionTable table_of(const std::vector<Function>& functions) {
  FunctionTable table;
  for (const Function& function : functions) table.add(function);
  return table;
}

// Frames of these may go on when those above them were unwound.
std::vector<Function> with_setjmp(std::vector<Function> functions) {
  for (Function& function : functions) {
    for (Block& block : function.blocks) {
      for (CallSite& call : block.calls) {
        if (call.callee == "qsort") call.callee = "_setjmp";
      }
    }
  }
  return functions;
}

Decisions decisions_of(const NodeTable& nodes, const std::vector<Event>& events,
                       std::span<const FunctionId> open_frames = {}) {
  Decisions decisions;
  DecisionMaker<Decisions> maker(nodes, decisions, open_frames);
  maker.take(events);
  return decisions;
}

template <typename Source>
std::vector<Event> all_of(Player<Source>& player, std::size_t batch) {
  std::vector<Event> events;
  std::vector<Event> some(batch);
  while (const std::size_t count = player.play(some)) {
    events.insert(events.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    if (count < batch) break;
  }
  return events;
}

// The decisions, which were seen to give the events again.
Decisions round_trip(const NodeTable& nodes, const std::vector<Event>& events,
                     std::span<const FunctionId> open_frames = {}, std::size_t batch = 64) {
  Decisions decisions = decisions_of(nodes, events, open_frames);
  Replies replies{decisions};
  Player<Replies> player(nodes, replies, events.size(), open_frames);
  EXPECT_EQ(all_of(player, batch), events);
  EXPECT_EQ(replies.at, decisions.list.size());
  EXPECT_EQ(replies.escape_at, decisions.escapes.size());
  return decisions;
}

TEST(Playback, runs_of_random_programs_come_back) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    testing::RandomProgram program(seed, 1 + static_cast<std::uint32_t>(seed % 12));
    const FunctionTable functions = table_of(program.functions());
    const NodeTable nodes(functions, functions.size());
    round_trip(nodes, program.run(3000));
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Playback, a_run_may_end_anywhere_and_be_played_in_any_batches) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    testing::RandomProgram program(seed);
    const FunctionTable functions = table_of(program.functions());
    const NodeTable nodes(functions, functions.size());
    const std::vector<Event> events = program.run(150);
    for (std::size_t cut = 0; cut <= events.size(); ++cut) {
      round_trip(nodes, {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(cut)}, {},
                 1 + cut % 7);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", " << cut << " events";
    }
  }
}

TEST(Playback, a_run_may_begin_anywhere_with_its_frames_known_or_not) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    testing::RandomProgram program(seed);
    const FunctionTable functions = table_of(program.functions());
    const NodeTable nodes(functions, functions.size());
    const std::vector<Event> events = program.run(200);
    std::vector<FunctionId> open;
    for (std::size_t cut = 0; cut < events.size(); ++cut) {
      const std::vector<Event> rest(events.begin() + static_cast<std::ptrdiff_t>(cut),
                                    events.end());
      round_trip(nodes, rest, open);
      round_trip(nodes, rest);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", from " << cut;
      if (events[cut].kind == EventKind::enter) open.push_back(events[cut].function());
      if (events[cut].kind == EventKind::exit && !open.empty()) open.pop_back();
    }
  }
}

TEST(Playback, events_that_do_not_fit_the_graphs_come_back) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    testing::RandomProgram program(seed, 4);
    std::vector<Function> all = program.functions();
    if (seed % 3 == 0) all[seed % 4].blocks.clear();
    const FunctionTable functions = table_of(all);
    const NodeTable nodes(functions, functions.size());
    testing::TraceShape shape;
    shape.blocks = 1 + static_cast<std::uint32_t>(seed % 10);
    round_trip(nodes, testing::random_trace(seed, 2000, shape));
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

// Mostly a run, so that much is learned, with events changed here and there.
TEST(Playback, damaged_runs_come_back) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    testing::RandomProgram program(seed, 5);
    const FunctionTable functions =
        table_of(seed % 2 == 0 ? with_setjmp(program.functions()) : program.functions());
    const NodeTable nodes(functions, functions.size());
    std::vector<Event> events = program.run(3000);
    std::mt19937_64 random(seed);
    for (Event& event : events) {
      if (random() % 50 != 0) continue;
      const auto id = static_cast<std::uint32_t>(random() % 5);
      const Event others[] = {Event::exit(), Event::enter(FunctionId{id}),
                              Event::block(BlockId{id + 1})};
      event = others[random() % 3];
    }
    round_trip(nodes, events);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Playback, functions_that_were_added_later_have_no_graph) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    testing::RandomProgram program(seed, 6);
    const FunctionTable functions = table_of(program.functions());
    for (std::size_t count = 0; count <= functions.size(); ++count) {
      round_trip(NodeTable(functions, count), program.run(500));
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Playback, numbers_do_not_depend_on_functions_that_were_added_later) {
  testing::RandomProgram program(7, 9);
  const std::vector<Event> events = program.run(2000);
  std::vector<Function> all = program.functions();
  const FunctionTable few = table_of(all);
  const Decisions decisions = decisions_of(NodeTable(few, few.size()), events);
  all.insert(all.end(), program.functions().begin(), program.functions().end());
  const FunctionTable many = table_of(all);
  const NodeTable nodes(many, few.size());
  Replies replies{decisions};
  Player<Replies> player(nodes, replies, events.size());
  EXPECT_EQ(all_of(player, 100), events);
}

TEST(Playback, ids_of_any_size_come_back) {
  FunctionTable functions;
  functions.add(named("bare"));
  Function known = named("known");
  known.blocks.push_back(ending(Terminator::returned));
  functions.add(known);
  const NodeTable nodes(functions, functions.size());
  std::vector<Event> events;
  for (const std::uint32_t function : {0U, 1U}) {
    events.push_back(Event::enter(FunctionId{function}));
    for (const std::uint32_t id : {0U, 1U, 2U, UINT32_MAX - 1, UINT32_MAX, 1U}) {
      events.push_back(Event::block(BlockId{id}));
    }
  }
  round_trip(nodes, events);
}

// What decisions there are. `main` calls `work` and jumps back; what else there is a test says.
class Decided : public ::testing::Test {
 protected:
  static constexpr FunctionId kMain{0};
  static constexpr FunctionId kWork{1};
  static constexpr FunctionId kOther{2};

  Decided() {
    functions_.resize(3);
    functions_[0].name = "main";
    functions_[1].name = "work";
    functions_[2].name = "other";
    for (Function& function : functions_) block(function, Terminator::returned);
  }

  static Block& block(Function& function, Terminator terminator,
                      std::vector<std::uint32_t> successors = {},
                      std::vector<CallSite> calls = {}) {
    Block& added = function.blocks.emplace_back();
    added.terminator = terminator;
    for (const std::uint32_t id : successors) added.successors.push_back(BlockId{id});
    added.calls = std::move(calls);
    return added;
  }

  void in_main(std::uint32_t id) { events_.push_back(Event::block(BlockId{id})); }
  void enter(FunctionId function) {
    events_.push_back(Event::enter(function));
    events_.push_back(Event::block(BlockId{1}));
  }
  void exit() { events_.push_back(Event::exit()); }
  void call(FunctionId function) {
    enter(function);
    exit();
  }

  // 100 rounds of a loop through block 2 of main, which makes these calls.
  void loop(const std::vector<CallSite>& calls, const std::function<void(int)>& body) {
    Function& main = functions_[0];
    main.blocks.clear();
    block(main, Terminator::jump, {2});
    block(main, Terminator::conditional, {2, 3}, calls);
    block(main, Terminator::returned);
    enter(kMain);
    for (int round = 0; round < 100; ++round) {
      in_main(2);
      body(round);
    }
    in_main(3);
    exit();
  }

  Decisions decided() {
    const FunctionTable functions = table_of(functions_);
    return round_trip(NodeTable(functions, functions.size()), events_);
  }

  std::vector<Function> functions_;
  std::vector<Event> events_;
};

const CallSite kCallsWork{CallKind::direct, "work"};
const CallSite kCallsOut{CallKind::external, "qsort"};
const CallSite kCallsPointer{CallKind::indirect, ""};

TEST_F(Decided, one_bit_per_conditional_and_nothing_for_direct_calls) {
  loop({kCallsWork, kCallsOut, {CallKind::external, "other"}}, [&](int) {
    call(kWork);
    call(kOther);
  });
  const Decisions decisions = decided();
  EXPECT_EQ(decisions.count_of(Kind::conditional), 100);
  EXPECT_EQ(decisions.count_of(Kind::target), 0U + 2);  // main is entered from nowhere
  EXPECT_TRUE(decisions.escapes.empty());
}

TEST_F(Decided, a_pointer_that_never_changes_is_asked_for_once) {
  loop({kCallsPointer, kCallsPointer}, [&](int) { call(kWork); });
  const Decisions decisions = decided();
  EXPECT_EQ(decisions.count_of(Kind::target), 2U + 2);
  EXPECT_TRUE(decisions.escapes.empty());
}

TEST_F(Decided, a_pointer_that_changes_is_asked_for_each_time) {
  loop({kCallsPointer}, [&](int round) { call(round % 2 == 0 ? kWork : kOther); });
  const Decisions decisions = decided();
  EXPECT_LE(decisions.escapes.size(), 2);
  EXPECT_GE(decisions.count_of(Kind::target), 97U + 2);
}

TEST_F(Decided, functions_that_are_called_back_cost_few_escapes) {
  loop({kCallsOut}, [&](int round) {
    for (int i = 0; i < round % 4; ++i) call(kOther);
  });
  EXPECT_LE(decided().escapes.size(), 3);
}

TEST_F(Decided, a_call_by_way_of_code_that_is_not_listed_is_learned_from_one_escape) {
  loop({kCallsWork, kCallsOut}, [&](int) {
    call(kWork);
    call(kOther);
  });
  const Decisions decisions = decided();
  EXPECT_EQ(decisions.escapes.size(), 1);
  EXPECT_EQ(decisions.count_of(Kind::target), 0U + 2);
}

TEST_F(Decided, a_call_that_seldom_enters_anything_is_asked_for_in_the_end) {
  loop({kCallsWork}, [&](int round) {
    if (round % 10 == 0) call(kWork);
  });
  EXPECT_LE(decided().escapes.size(), 2);
}

TEST_F(Decided, a_tail_call_is_learned_from_one_escape) {
  functions_[1].blocks[0].calls = {{CallKind::direct, "other"}};
  loop({kCallsWork}, [&](int) {
    call(kWork);
    call(kOther);
  });
  EXPECT_EQ(decided().escapes.size(), 1);
}

TEST_F(Decided, a_tail_call_by_way_of_a_block_that_returns_is_learned_from_one_escape) {
  functions_[1].blocks.clear();
  block(functions_[1], Terminator::jump, {2}, {{CallKind::direct, "other"}});
  block(functions_[1], Terminator::returned);
  loop({kCallsWork}, [&](int) {
    enter(kWork);
    in_main(2);
    exit();
    call(kOther);
  });
  EXPECT_EQ(decided().escapes.size(), 1);
}

TEST_F(Decided, frames_that_an_exception_leaves_cost_nothing) {
  Function& main = functions_[0];
  main.blocks.clear();
  block(main, Terminator::jump, {2});
  block(main, Terminator::invoke, {3, 4}, {kCallsWork});
  block(main, Terminator::conditional, {2, 5});
  block(main, Terminator::jump, {3});
  block(main, Terminator::returned);
  functions_[1].blocks[0].calls = {{CallKind::direct, "other"}, kCallsOut};
  functions_[2].blocks[0] = ending(Terminator::unreachable, {kCallsOut});
  enter(kMain);
  for (int round = 0; round < 100; ++round) {
    in_main(2);
    enter(kWork);
    enter(kOther);
    exit();
    exit();
    in_main(4);
    in_main(3);
  }
  const Decisions decisions = decided();
  EXPECT_TRUE(decisions.escapes.empty());
  EXPECT_EQ(decisions.count_of(Kind::conditional), 99);
}

TEST_F(Decided, a_jump_back_to_setjmp_is_a_target) {
  Function& main = functions_[0];
  main.blocks.clear();
  block(main, Terminator::conditional, {2, 3}, {{CallKind::external, "_setjmp"}});
  block(main, Terminator::jump, {3}, {kCallsWork});
  block(main, Terminator::conditional, {2, 4});
  block(main, Terminator::returned);
  functions_[1].blocks[0] = ending(Terminator::unreachable, {kCallsOut});
  enter(kMain);
  for (int round = 0; round < 100; ++round) {
    in_main(2);
    call(kWork);
    in_main(3);
  }
  EXPECT_TRUE(decided().escapes.empty());
}

TEST_F(Decided, a_switch_chooses_among_distinct_successors) {
  Function& main = functions_[0];
  main.blocks.clear();
  block(main, Terminator::switched, {2, 3, 2, 1, 3});
  block(main, Terminator::indirect, {1, 3, 3});
  block(main, Terminator::returned);
  enter(kMain);
  for (const std::uint32_t id : {1U, 1U, 2U, 1U, 3U}) in_main(id);
  const Decisions decisions = decided();
  std::vector<std::uint32_t> values;
  for (const Decision& decision : decisions.list) {
    if (decision.kind > Kind::jump) continue;
    EXPECT_EQ(decision.count, decision.kind == Kind::choice ? 3 : 2);
    values.push_back(decision.value);
  }
  EXPECT_EQ(values, (std::vector<std::uint32_t>{2, 2, 0, 0, 1}));
  EXPECT_TRUE(decisions.escapes.empty());
}

TEST_F(Decided, successors_that_lie_far_apart_are_found) {
  Function& main = functions_[0];
  main.blocks.clear();
  block(main, Terminator::switched, {1, 300, 150});
  for (int id = 2; id <= 300; ++id) block(main, Terminator::jump, {1});
  enter(kMain);
  for (const std::uint32_t id : {150U, 1U, 300U, 1U, 1U, 299U, 1U}) in_main(id);
  const Decisions decisions = decided();
  EXPECT_EQ(decisions.count_of(Kind::choice), 3);
  EXPECT_EQ(decisions.escapes, (std::vector<Escape>{{7, Event::block(BlockId{299})}}));
}

TEST_F(Decided, of_functions_with_one_name_the_nearest_is_called) {
  functions_.push_back(named("work"));
  functions_.push_back(named("caller"));
  block(functions_[3], Terminator::returned);
  block(functions_[4], Terminator::jump, {1}, {kCallsWork});
  enter(FunctionId{4});
  call(FunctionId{3});
  in_main(1);
  call(FunctionId{3});
  EXPECT_TRUE(decided().escapes.empty());
}

TEST_F(Decided, deep_recursion_comes_back) {
  functions_[1].blocks.clear();
  block(functions_[1], Terminator::conditional, {2, 3});
  block(functions_[1], Terminator::jump, {3}, {kCallsWork});
  block(functions_[1], Terminator::returned);
  for (int depth = 0; depth < 300'000; ++depth) {
    enter(kWork);
    in_main(2);
  }
  enter(kWork);
  in_main(3);
  exit();
  for (int depth = 0; depth < 300'000; ++depth) {
    in_main(3);
    exit();
  }
  const Decisions decisions = decided();
  EXPECT_EQ(decisions.count_of(Kind::conditional), 300'001);
  EXPECT_TRUE(decisions.escapes.empty());
}

// Replies with anything.
struct Nonsense {
  std::mt19937_64 random;
  unsigned escapes;  // one in so many events at most; 0 for none

  bool conditional(std::uint32_t) { return random() % 2 == 0; }
  std::uint32_t choice(std::uint32_t, std::uint32_t count) { return below(count); }
  std::uint32_t jump(std::uint32_t, std::uint32_t count) { return below(count); }
  std::uint32_t target(std::uint32_t) { return below(8); }
  std::optional<Escape> escape() {
    if (escapes == 0) return std::nullopt;
    const Event others[] = {Event::exit(), Event::enter(FunctionId{below(8)}),
                            Event::block(BlockId{below(10)})};
    return Escape{random() % escapes, others[random() % 3]};
  }
  std::uint32_t below(std::uint32_t limit) {
    // Now and then too much.
    return static_cast<std::uint32_t>(random() % 1000 == 0 ? random() : random() % limit);
  }
};

TEST(Playback, nonsense_ends_with_the_events_or_an_error) {
  unsigned errors = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    testing::RandomProgram program(seed);
    std::vector<Function> all = program.functions();
    if (seed % 2 == 0) all[seed % 8].blocks.clear();
    if (seed % 3 == 0) all = with_setjmp(std::move(all));
    const FunctionTable functions = table_of(all);
    const NodeTable nodes(functions, functions.size());
    Nonsense nonsense{std::mt19937_64(seed), static_cast<unsigned>(seed % 5) * 10};
    Player<Nonsense> player(nodes, nonsense, 2000);
    try {
      EXPECT_EQ(all_of(player, 128).size(), 2000);
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 0);
  EXPECT_LT(errors, 300);
}

TEST(Playback, a_function_that_is_not_listed_is_an_error) {
  FunctionTable functions;
  functions.add(named("only"));
  const NodeTable nodes(functions, functions.size());
  for (const std::uint32_t function : {0U, 1U, UINT32_MAX}) {
    Decisions decisions;
    decisions.escapes.push_back({0, Event::enter(FunctionId{function})});
    decisions.entered(nodes.nodes()[NodeTable::kLost].site);
    Replies replies{decisions};
    Player<Replies> player(nodes, replies, 1);
    if (function == 0) {
      EXPECT_EQ(all_of(player, 10).size(), 1);
    } else {
      EXPECT_THROW(all_of(player, 10), Error);
    }
  }
}

TEST(Playback, endless_recursion_is_an_error_before_it_takes_all_memory) {
  Function self = named("self");
  self.blocks.push_back(ending(Terminator::returned, {{CallKind::direct, "self"}}));
  FunctionTable functions;
  functions.add(self);
  const NodeTable nodes(functions, functions.size());
  Decisions decisions;
  decisions.escapes.push_back({0, Event::enter(FunctionId{0})});
  struct Silent : Replies {
    void entered(std::uint32_t) {}
    void exited() {}
  } replies{{decisions}};
  Player<Silent> player(nodes, replies, UINT64_MAX);
  std::vector<Event> some(1 << 16);
  EXPECT_THROW(
      {
        while (player.play(some) == some.size()) {
        }
      },
      Error);
}

}  // namespace
}  // namespace pathspool::playback
