// Signal handlers, as the collector sees them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testing/fake_collector.h"

namespace pathspool::testing {
namespace {

using wire::Control;
using wire::RingKind;

TEST(Runtime, handlers_write_to_rings_of_their_own) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("nested"), 0);
  EXPECT_EQ(collector.only(RingKind::thread).words, numbers(1, 10));
  EXPECT_EQ(collector.only(RingKind::signals, 1).words,
            joined({numbers(1001, 1007), numbers(1001, 1007)}));
  EXPECT_EQ(collector.only(RingKind::signals, 2).words,
            joined({numbers(2001, 2004), numbers(2001, 2004)}));
  EXPECT_EQ(collector.only(RingKind::signals, 2).parent_serial, 0U);
}

TEST(Runtime, a_jump_out_of_handlers_goes_back_to_the_ring_of_the_target) {
  for (const char* scenario : {"jumps", "jumps_from_another_stack"}) {
    SCOPED_TRACE(scenario);
    FakeCollector collector;
    EXPECT_EQ(collector.run(scenario), 0);
    const std::vector<Word>& words = collector.only(RingKind::thread).words;
    ASSERT_EQ(words.size(), 3U * 6U + 1U);
    for (Word round = 0; round < 3; ++round) {
      for (Word i = 0; i < 4; ++i) EXPECT_EQ(words[round * 6 + i], number(round * 4 + i + 1));
      EXPECT_EQ(words[round * 6 + 4], wire::control_word(Control::unwound));
      EXPECT_EQ(words[round * 6 + 5], words[5]);
      EXPECT_NE(words[5] & wire::kTokenBit, 0U);
    }
    EXPECT_EQ(words.back(), number(100));
    EXPECT_EQ(collector.only(RingKind::signals, 1).words,
              joined({numbers(1001, 1004), numbers(1001, 1004), numbers(1001, 1004)}));
    EXPECT_EQ(collector.only(RingKind::signals, 2).words, numbers(2001, 2003));
  }
}

TEST(Runtime, a_jump_within_a_handler_stays_in_its_ring) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("jump_within_handler"), 0);
  EXPECT_EQ(collector.only(RingKind::thread).words, numbers(1, 5));
  const std::vector<Word>& words = collector.only(RingKind::signals, 1).words;
  ASSERT_EQ(words.size(), 5U);
  EXPECT_EQ(words[2], wire::control_word(Control::unwound));
  EXPECT_EQ(words[4], number(1003));
}

TEST(Runtime, sigaction_says_what_the_program_set) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("what_sigaction_says"), 0);
  EXPECT_EQ(collector.only(RingKind::signals, 1).words,
            (std::vector<Word>{number(1001), number(1002), number(1002)}));
}

TEST(Runtime, a_storm_of_signals_garbles_nothing) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("storm"), 0);
  const std::vector<Word>& words = collector.only(RingKind::thread).words;
  EXPECT_TRUE(words == numbers(1, static_cast<Word>(words.size()) + 1));
  EXPECT_GE(words.size(), 1'999'999U);
  const std::vector<Word>& handled = collector.only(RingKind::signals, 1).words;
  EXPECT_TRUE(handled == numbers(1, static_cast<Word>(handled.size()) + 1));
  EXPECT_GE(handled.size(), 400'000U);
}

TEST(Runtime, a_storm_of_signals_that_jump_garbles_nothing) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("jumping_storm"), 0);
  const std::vector<Word>& words = collector.only(RingKind::thread).words;
  Word expected = 1;
  std::size_t wrong = 0;
  bool jumped = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == wire::control_word(Control::unwound)) {
      ++i;
      jumped = true;
      continue;
    }
    // A number that was written but not counted comes once more.
    if (jumped && words[i] == number(expected - 1)) --expected;
    wrong += words[i] != number(expected++);
    jumped = false;
  }
  EXPECT_EQ(wrong, 0U);
  EXPECT_GE(expected, 500'000U);
  // siglongjmp lets signals in before it jumps, so that some handlers interrupt others.
  std::vector<Word> handled;
  for (const auto& [serial, stream] : collector.streams) {
    if (stream.kind != RingKind::signals) continue;
    EXPECT_TRUE(std::is_sorted(stream.words.begin(), stream.words.end()));
    handled.insert(handled.end(), stream.words.begin(), stream.words.end());
  }
  std::sort(handled.begin(), handled.end());
  EXPECT_TRUE(handled == numbers(1, static_cast<Word>(handled.size()) + 1));
  EXPECT_GE(handled.size(), 6000U);
}

TEST(Runtime, handlers_nested_too_deep_are_left_out) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("deep"), 0);
  EXPECT_EQ(collector.only(RingKind::thread).words, numbers(1, 3));
  for (Word level = 1; level <= 8; ++level) {
    EXPECT_EQ(collector.only(RingKind::signals, level).words, numbers(1000 + level, 1001 + level));
  }
  EXPECT_EQ(collector.streams.size(), 9U);
}

TEST(Runtime, a_fork_in_a_handler_keeps_the_child_out_of_its_parents_rings) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("fork_in_handler"), 0);
  // Parent's thread and handler, the child's handler, and the child's thread as soon as it looks.
  ASSERT_EQ(collector.streams.size(), 4U);
  EXPECT_EQ(collector.streams[0].words, numbers(1, 30'000));
  EXPECT_EQ(collector.streams[1].words, joined({{number(1001)}, fork_record(1), {number(1002)}}));
  EXPECT_EQ(collector.streams[2].words, numbers(2001, 2002));
  EXPECT_EQ(collector.streams[2].fork_token, 1U);
  EXPECT_EQ(collector.streams[2].parent_serial, 1U);
  const std::vector<Word>& late = collector.streams[3].words;
  ASSERT_FALSE(late.empty());
  EXPECT_EQ(late, numbers(late[0] & ~wire::kKindMask, 33'000));
  EXPECT_LE(late[0], number(3000 + wire::kSlackWords + 2));
}

TEST(Runtime, what_a_child_forked_in_a_handler_writes_by_an_old_cursor_does_not_reach_its_parent) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("fork_in_handler_and_leave"), 0);
  EXPECT_EQ(collector.streams[0].words, numbers(1, 2));
}

TEST(Runtime, a_handler_left_for_code_without_instrumentation_is_noticed_at_the_next_signal) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("unannounced_jumps"), 0);
  EXPECT_EQ(collector.only(RingKind::signals, 1).words,
            joined({numbers(1001, 1004), numbers(1001, 1004), numbers(1001, 1004)}));
  EXPECT_EQ(collector.streams.size(), 2U);
}

TEST(Runtime, stop_concerns_the_streams_of_handlers_too) {
  FakeCollector collector;
  EXPECT_EQ(collector.run("stop_and_handlers"), 0);
  ASSERT_EQ(collector.streams.size(), 4U);
  const std::vector<Word> paused = {wire::control_word(Control::paused)};
  EXPECT_EQ(collector.streams[0].words, joined({numbers(1, 3), paused}));
  EXPECT_EQ(collector.streams[1].words, joined({numbers(1001, 1002), paused}));
  EXPECT_EQ(collector.streams[2].words, numbers(3, 4));
  EXPECT_EQ(collector.streams[3].words, numbers(1001, 1002));
  EXPECT_EQ(collector.streams[3].kind, RingKind::signals);
}

}  // namespace
}  // namespace pathspool::testing
