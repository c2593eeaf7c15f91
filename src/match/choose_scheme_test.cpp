#include "match/choose_scheme.h"

#include <gtest/gtest.h>

#include <string>

namespace pathspool::match {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

SegmentOffer offer(Form form, bool indexed, std::uint64_t wanted) {
  return {form, indexed, 128, wanted};
}

void expect_choice(const SegmentOffer& segment, Scheme scheme, SchemeReason reason) {
  const ChosenScheme chosen = choose_scheme(Scheme::automatic, segment);
  EXPECT_EQ(chosen.scheme, scheme);
  EXPECT_EQ(chosen.reason, reason);
}

TEST(ChooseScheme, an_index_that_rules_anything_out_is_used) {
  for (const std::uint64_t wanted : {0U, 1U, 64U, 127U}) {
    expect_choice(offer(Form::chunks, true, wanted), Scheme::indexed_chunks,
                  SchemeReason::index_excludes_some);
    expect_choice(offer(Form::grammar, true, wanted), Scheme::indexed_grammar,
                  SchemeReason::index_excludes_some);
  }
}

TEST(ChooseScheme, an_index_that_rules_nothing_out_is_not) {
  expect_choice(offer(Form::chunks, true, 128), Scheme::chunks,
                SchemeReason::index_excludes_nothing);
  expect_choice(offer(Form::grammar, true, 128), Scheme::grammar,
                SchemeReason::index_excludes_nothing);
}

TEST(ChooseScheme, without_an_index_everything_is_searched) {
  expect_choice(offer(Form::chunks, false, 128), Scheme::chunks, SchemeReason::no_index);
  expect_choice(offer(Form::grammar, false, 128), Scheme::grammar, SchemeReason::no_index);
}

TEST(ChooseScheme, a_scheme_that_was_asked_for_is_taken_if_the_segment_has_it) {
  const SegmentOffer chunks = offer(Form::chunks, true, 1);
  const SegmentOffer grammar = offer(Form::grammar, true, 128);
  EXPECT_EQ(choose_scheme(Scheme::chunks, chunks).scheme, Scheme::chunks);
  EXPECT_EQ(choose_scheme(Scheme::indexed_chunks, chunks).scheme, Scheme::indexed_chunks);
  EXPECT_EQ(choose_scheme(Scheme::grammar, grammar).scheme, Scheme::grammar);
  EXPECT_EQ(choose_scheme(Scheme::indexed_grammar, grammar).scheme, Scheme::indexed_grammar);
  EXPECT_EQ(choose_scheme(Scheme::chunks, chunks).reason, SchemeReason::asked);
  EXPECT_FALSE(choose_scheme(Scheme::chunks, chunks).uses_index());
  EXPECT_TRUE(choose_scheme(Scheme::indexed_grammar, grammar).uses_index());
}

TEST(ChooseScheme, a_scheme_that_the_segment_does_not_have_is_refused) {
  for (const bool indexed : {false, true}) {
    for (const Scheme scheme : {Scheme::grammar, Scheme::indexed_grammar}) {
      EXPECT_THROW(static_cast<void>(choose_scheme(scheme, offer(Form::chunks, indexed, 9))),
                   MissingScheme);
    }
    for (const Scheme scheme : {Scheme::chunks, Scheme::indexed_chunks}) {
      EXPECT_THROW(static_cast<void>(choose_scheme(scheme, offer(Form::grammar, indexed, 9))),
                   MissingScheme);
    }
  }
  EXPECT_THROW(
      static_cast<void>(choose_scheme(Scheme::indexed_chunks, offer(Form::chunks, false, 9))),
      MissingScheme);
  EXPECT_THROW(
      static_cast<void>(choose_scheme(Scheme::indexed_grammar, offer(Form::grammar, false, 9))),
      MissingScheme);
}

TEST(ShareMemory, every_thread_has_two_chunks_if_there_is_room) {
  EXPECT_EQ(share_memory(1024 * kMega, 4 * kMega, 4).chunks_at_once, 8U);
  EXPECT_EQ(share_memory(24 * kMega, 4 * kMega, 4).chunks_at_once, 3U);
  EXPECT_EQ(share_memory(kMega, 4 * kMega, 4).chunks_at_once, 1U);
  EXPECT_EQ(share_memory(0, 0, 1).chunks_at_once, 1U);
}

TEST(ShareMemory, what_is_left_can_hold_unpacked_chunks) {
  EXPECT_EQ(share_memory(100 * kMega, 4 * kMega, 2).kept_bytes, 68 * kMega);
  EXPECT_EQ(share_memory(6 * kMega, 4 * kMega, 2).kept_bytes, 0U);
}

}  // namespace
}  // namespace pathspool::match
