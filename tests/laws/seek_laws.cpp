// Seeking equals skipping, and costs by depth, not by position.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "spool/grammar_segment_reader.h"
#include "spool/spool_impl.h"
#include "support/pack_ways.h"
#include "support/program_model.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

constexpr std::uint64_t kEvents = testing::kSanitized ? 300'000 : 3'000'000;

std::vector<Event> long_trace() {
  testing::ModelOptions options;
  options.functions = 300;
  options.chance = 0.3;
  testing::ProgramModel model(options);
  return model.events(kEvents);
}

TEST(Seek, any_place_of_a_long_trace_gives_what_reading_up_to_it_gives) {
  const testing::Scratch scratch;
  const std::vector<Event> events = long_trace();
  for (testing::PackWay way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    way.options.chunk_bytes = 1U << 16;
    testing::write_spool(scratch.file("a"), testing::one_stream(events, 300), way.options,
                         1U << 16);
    testing::expect_intact(scratch.file("a"));
    const Spool spool = Spool::open(scratch.file("a"));
    ASSERT_TRUE(testing::read_events(spool, StreamId{0}) == events);
    std::mt19937_64 random(1);
    for (int round = 0; round < 100; ++round) {
      const std::uint64_t from = random() % kEvents;
      const std::uint64_t to = std::min(from + random() % 500, kEvents);
      const auto begin = events.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = events.begin() + static_cast<std::ptrdiff_t>(to);
      ASSERT_TRUE(testing::read_events(spool, StreamId{0}, from, to) == std::vector(begin, end));
    }
    trace::FrameStack frames;
    std::uint64_t at = 0;
    for (const std::uint64_t wanted : {kEvents / 9, kEvents / 2, kEvents - 1, kEvents}) {
      for (; at < wanted; ++at) frames.apply(events[at]);
      ASSERT_EQ(spool.open_frames({StreamId{0}, at}), frames.known());
    }
  }
}

TEST(Seek, a_seek_in_a_grammar_unpacks_few_rules) {
  const testing::Scratch scratch;
  // The phases of a large program that decides by chance: many rules, each used in one phase.
  constexpr std::uint32_t kPhases = 12;
  constexpr std::uint32_t kFunctions = 2000;
  std::vector<Event> events;
  for (std::uint32_t phase = 0; phase < kPhases; ++phase) {
    testing::ModelOptions model_options;
    model_options.seed = phase;
    model_options.functions = kFunctions;
    model_options.statements = 40;
    model_options.chance = 1;
    testing::ProgramModel model(model_options);
    model.run(kEvents / kPhases, [&events, phase](std::span<const Event> batch) {
      for (Event event : batch) {
        if (event.kind == EventKind::enter) event.id += phase * kFunctions;
        events.push_back(event);
      }
    });
  }
  PackOptions options;
  options.form = Form::grammar;
  testing::write_spool(scratch.file("a"), testing::one_stream(events, kPhases * kFunctions),
                       options, 1U << 16);
  const auto rules_unpacked = [](const Spool& spool) {
    const auto segment = spool.impl().segment(0);
    return dynamic_cast<const spool::GrammarSegmentReader&>(*segment).rules().rules_unpacked();
  };
  const Spool whole = Spool::open(scratch.file("a"));
  ASSERT_TRUE(testing::read_events(whole, StreamId{0}) == events);
  const std::uint32_t all = rules_unpacked(whole);
  constexpr std::uint64_t kSeeks = 20;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < kSeeks; ++i) {
    const Spool spool = Spool::open(scratch.file("a"));
    const std::uint64_t from = events.size() / kSeeks * i + 17;
    ASSERT_EQ(testing::read_events(spool, StreamId{0}, from, from + 1), std::vector{events[from]});
    sum += rules_unpacked(spool);
  }
  std::cout << all << " rules, " << sum << " unpacked by " << kSeeks << " seeks\n";
  ASSERT_GT(all, 1000U);
  // A seek looks into one chunk of the start rule, and a short trace has few chunks.
  constexpr std::uint64_t kLeastShare = testing::kSanitized ? 8 : 30;
  EXPECT_LE(kLeastShare * sum, kSeeks * all);
}

}  // namespace
}  // namespace pathspool
