#include "match/path_automaton.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "pathspool/error.h"

namespace pathspool::match {
namespace {

using Steps = PathAutomaton::Steps;

Steps path(std::initializer_list<std::uint32_t> blocks) {
  Steps steps;
  for (const std::uint32_t block : blocks) steps.push_back({BlockId{block}});
  return steps;
}

// The paths that end at each block.
std::vector<std::vector<std::uint32_t>> run(const PathAutomaton& automaton,
                                            const std::vector<std::uint32_t>& blocks) {
  std::vector<std::vector<std::uint32_t>> found;
  PathAutomaton::State state = PathAutomaton::kStart;
  for (const std::uint32_t block : blocks) {
    state = automaton.next(state, automaton.symbol_of(BlockId{block}));
    const auto paths = automaton.found(state);
    EXPECT_EQ(paths.empty(), state < automaton.first_final());
    found.emplace_back(paths.begin(), paths.end());
  }
  return found;
}

std::vector<std::vector<std::uint32_t>> obvious(const std::vector<Steps>& paths,
                                                const std::vector<std::uint32_t>& blocks) {
  std::vector<std::vector<std::uint32_t>> found(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (std::uint32_t p = 0; p < paths.size(); ++p) {
      if (paths[p].size() > i + 1) continue;
      bool ends_here = true;
      for (std::size_t k = 0; k < paths[p].size(); ++k) {
        const BlockId block{blocks[i + 1 - paths[p].size() + k]};
        const std::vector<BlockId>& step = paths[p][k];
        ends_here &= std::find(step.begin(), step.end(), block) != step.end();
      }
      if (ends_here) found[i].push_back(p);
    }
  }
  return found;
}

TEST(PathAutomaton, one_path_of_single_blocks_has_a_state_for_each_of_its_prefixes) {
  const std::vector<Steps> paths = {path({1, 1, 2, 1, 1})};
  const PathAutomaton automaton(paths);
  EXPECT_EQ(automaton.states(), 6U);
  EXPECT_EQ(automaton.symbols(), 3U);  // B1, B2 and all others
  EXPECT_EQ(automaton.longest(), 5U);
  EXPECT_EQ(automaton.first_final(), 5U);
}

TEST(PathAutomaton, overlapping_occurrences_all_count) {
  const PathAutomaton automaton(std::vector<Steps>{path({1, 1})});
  using Found = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(run(automaton, {1, 1, 1, 2, 1, 1}), (Found{{}, {0}, {0}, {}, {}, {0}}));
}

TEST(PathAutomaton, a_path_inside_another_and_one_asked_for_twice_are_all_found) {
  const PathAutomaton automaton(
      std::vector<Steps>{path({1, 2, 3}), path({2, 3}), path({3}), path({2, 3})});
  using Found = std::vector<std::vector<std::uint32_t>>;
  EXPECT_EQ(run(automaton, {1, 2, 3}), (Found{{}, {}, {0, 1, 2, 3}}));
}

TEST(PathAutomaton, blocks_that_no_path_tells_apart_are_one_symbol) {
  std::vector<BlockId> line(100);
  for (std::uint32_t i = 0; i < line.size(); ++i) line[i] = BlockId{i + 1};
  const PathAutomaton automaton(std::vector<Steps>{{line, line, line}});
  EXPECT_EQ(automaton.symbols(), 2U);
  EXPECT_EQ(automaton.states(), 4U);
}

TEST(PathAutomaton, any_paths_are_found_where_the_obvious_matcher_finds_them) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t blocks = 1 + static_cast<std::uint32_t>(random() % 5);
    const auto block = [&] {
      const auto id = static_cast<std::uint32_t>(1 + random() % blocks);
      return id == 5 ? 100'000 : id;
    };
    std::vector<Steps> paths(1 + random() % 6);
    const bool single = random() % 2 == 0;
    for (Steps& steps : paths) {
      steps.resize(1 + random() % 6);
      for (std::vector<BlockId>& step : steps) {
        step.resize(!single && random() % 4 == 0 ? 1 + random() % 3 : 1);
        for (BlockId& one : step) one = BlockId{block()};
      }
    }
    std::vector<std::uint32_t> events(100);
    for (std::uint32_t& event : events) event = block();
    ASSERT_EQ(run(PathAutomaton(paths), events), obvious(paths, events)) << "round " << round;
  }
}

TEST(PathAutomaton, thousands_of_paths_make_one_automaton) {
  std::mt19937_64 random(9);
  std::vector<Steps> paths(5000);
  for (Steps& steps : paths) {
    for (int i = 0; i < 8; ++i) {
      steps.push_back({BlockId{static_cast<std::uint32_t>(1 + random() % 40)}});
    }
  }
  const PathAutomaton automaton(paths);
  EXPECT_GT(automaton.states(), 20'000U);
  std::vector<std::uint32_t> events;
  for (const Steps& steps : paths) {
    for (const std::vector<BlockId>& step : steps) {
      events.push_back(static_cast<std::uint32_t>(step.front()));
    }
  }
  const auto found = run(automaton, events);
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    const std::vector<std::uint32_t>& here = found[8 * i + 7];
    ASSERT_NE(std::find(here.begin(), here.end(), i), here.end());
  }
}

TEST(PathAutomaton, a_path_may_be_long) {
  const PathAutomaton automaton(std::vector<Steps>{Steps(100'000, std::vector{BlockId{1}})});
  EXPECT_EQ(automaton.states(), 100'001U);
  const auto found = run(automaton, std::vector<std::uint32_t>(100'001, 1));
  EXPECT_TRUE(found[99'998].empty());
  EXPECT_EQ(found[99'999].size(), 1U);
  EXPECT_EQ(found[100'000].size(), 1U);
}

TEST(PathAutomaton, paths_that_would_take_a_table_beyond_bounds_are_refused) {
  // Which of the last 40 blocks were B1 has to be remembered: 2^40 states.
  Steps steps(40, std::vector<BlockId>{BlockId{1}, BlockId{2}});
  steps.front() = {BlockId{1}};
  EXPECT_THROW(PathAutomaton(std::vector<Steps>{steps}), Error);
}

}  // namespace
}  // namespace pathspool::match
