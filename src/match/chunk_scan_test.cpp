#include "match/chunk_scan.h"

#include <gtest/gtest.h>

#include <random>

#include "differential/match_reference.h"
#include "pathspool/error.h"
#include "spool/event_coding.h"
#include "spool/event_encoder.h"

namespace pathspool::match {
namespace {

constexpr std::uint32_t kNobody = FrameStates::kNobody;

std::vector<FunctionPaths> asking(std::initializer_list<std::uint32_t> blocks) {
  PathQuery query{0, FunctionId{1}, {}};
  for (const std::uint32_t block : blocks) query.steps.push_back({BlockId{block}});
  return paths_by_function(std::span(&query, 1));
}

ChunkFindings scan(const base::Bytes& bytes, std::uint64_t events,
                   const std::vector<std::uint32_t>& entry, Wish wish = Wish::all) {
  const std::vector<FunctionPaths> functions = asking({1, 2});
  const ScanTables tables(functions, 200);
  return scan_chunk(tables, {bytes, events, 1000, entry, wish, {}});
}

std::vector<std::uint64_t> indexes(const ChunkFindings& findings) {
  std::vector<std::uint64_t> all;
  for (const Hit& hit : findings.hits) all.push_back(hit.index);
  return all;
}

constexpr std::uint8_t kE = spool::kExitCode;
constexpr std::uint8_t kF = spool::kEnterCode;
constexpr std::uint8_t kB = spool::kLongBlockCode;

TEST(ChunkScan, positions_count_events_and_not_bytes) {
  // F1 B1 F2 B1 E B367 B1 F130 B1 B2 E B2 E
  const ChunkFindings findings =
      scan({kF, 1, 1, kF, 2, 1, kE, kB, 127, 1, kF, 0x82, 1, 1, 2, kE, 2, kE}, 13, {kNobody});
  EXPECT_EQ(indexes(findings), std::vector<std::uint64_t>{1011});
  EXPECT_EQ(findings.open.size(), 1U);
}

TEST(ChunkScan, a_frame_that_was_open_before_leaves_its_first_blocks_to_be_replayed) {
  const ChunkFindings findings = scan({2, 1, 2, 1, 2, kE}, 6, {kNobody, 0});
  ASSERT_EQ(findings.openings[1].blocks.size(), 2U);
  EXPECT_EQ(findings.openings[1].blocks[0].index, 1000U);
  EXPECT_EQ(findings.openings[1].blocks[1].index, 1001U);
  EXPECT_EQ(indexes(findings), (std::vector<std::uint64_t>{1002, 1004}));
}

TEST(ChunkScan, long_runs_of_others_blocks_are_passed_over_whatever_their_length) {
  for (std::uint8_t length = 0; length < 40; ++length) {
    for (const std::uint8_t block : base::Bytes{1, 0x7f, 0x80, 0xef}) {
      base::Bytes bytes = {kF, 2};
      bytes.insert(bytes.end(), length, block);
      bytes.insert(bytes.end(), {kF, 1, 1, 2, kE, kE});
      const ChunkFindings findings = scan(bytes, length + 6U, {kNobody});
      EXPECT_EQ(indexes(findings), std::vector<std::uint64_t>{1003U + length});
    }
  }
}

TEST(ChunkScan, whoever_wants_the_first_occurrence_stops_there) {
  const ChunkFindings findings = scan({kF, 1, 1, 2, 1, 2, 0xff}, 6, {kNobody}, Wish::first);
  EXPECT_TRUE(findings.stopped);
  EXPECT_EQ(indexes(findings), std::vector<std::uint64_t>{1002});
}

TEST(ChunkScan, malformed_bytes_are_refused) {
  const std::vector<base::Bytes> malformed = {
      {0xf2},                                // no such code
      {0xff},                                //
      {kF},                                  // cut short
      {kF, 0x81},                            //
      {kB, 0x81},                            //
      {kF, 200, 1},                          // function 200 of 200
      {kF, 0x81, 0x81, 0x81, 0x81, 0x81, 1}  // no 32 bits
  };
  for (const base::Bytes& bytes : malformed) {
    for (const std::uint32_t running : {kNobody, std::uint32_t{0}}) {
      // At any place of what is looked at together.
      for (std::size_t before = 0; before < 200; before += before < 4 ? 1 : 7) {
        for (const std::size_t after : {std::size_t{0}, std::size_t{200}}) {
          base::Bytes padded(before, 3);
          padded.insert(padded.end(), bytes.begin(), bytes.end());
          // What is cut short would go on with what follows.
          if (bytes.size() > 1 || bytes[0] >= 0xf2) padded.insert(padded.end(), after, 0xff);
          EXPECT_THROW(scan(padded, before + 1, {running}), Error);
        }
      }
    }
  }
}

// Events whose numbers take one byte to three and look like anything.
std::vector<Event> strange_events(std::uint64_t seed, std::size_t count) {
  constexpr std::uint32_t kFunctions[] = {0,   1,   2,   112, 113,   127,  128,
                                          240, 241, 368, 369, 16383, 16384};
  constexpr std::uint32_t kBlocks[] = {1,   2,   127, 128, 239, 240,   241,   352,       353,
                                       367, 368, 480, 481, 609, 16623, 16624, UINT32_MAX};
  std::mt19937_64 random(seed);
  const std::uint64_t calls = random() % 60;
  std::vector<Event> events = {Event::enter(FunctionId{2})};
  std::size_t depth = 1;
  while (events.size() < count) {
    const std::uint64_t roll = random() % 100;
    if (roll < calls) {
      events.push_back(Event::enter(FunctionId{kFunctions[random() % std::size(kFunctions)]}));
      ++depth;
    } else if (roll < 2 * calls && depth > 1) {
      events.push_back(Event::exit());
      --depth;
    } else if (random() % 8 == 0) {
      events.push_back(Event::block(BlockId{kBlocks[random() % std::size(kBlocks)]}));
    } else {
      events.push_back(Event::block(BlockId{static_cast<std::uint32_t>(1 + random() % 3)}));
    }
  }
  return events;
}

TEST(ChunkScan, numbers_that_look_like_codes_are_told_from_them) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<Event> events = strange_events(seed, 1 + seed * 3);
    base::Bytes bytes(events.size() * spool::kLongestEventBytes);
    std::uint8_t* end = bytes.data();
    for (const Event& event : events) end = spool::encode_event(event, end);
    bytes.resize(static_cast<std::size_t>(end - bytes.data()));
    for (const std::uint32_t function : {1U, 113U, 241U, 16384U}) {
      const std::uint32_t last = seed % 2 == 0 ? 2 : 353;
      const PathQuery query{0, FunctionId{function}, {{BlockId{1}}, {BlockId{last}}}};
      const std::vector<FunctionPaths> functions = paths_by_function(std::span(&query, 1));
      const ScanTables tables(functions, 16385);
      const std::vector<std::uint32_t> entry = {kNobody};
      const ChunkFindings findings =
          scan_chunk(tables, {bytes, events.size(), 0, entry, Wish::all, {}});
      ASSERT_EQ(indexes(findings),
                testing::reference_matches(events, {FunctionId{function}, query.steps}))
          << "seed " << seed << ", function " << function;
    }
  }
}

TEST(ChunkScan, what_contradicts_the_facts_is_refused) {
  EXPECT_THROW(scan({1, 2, kE}, 3, {kNobody}), Error);  // closes a frame too many
  for (std::uint8_t calls = 0; calls < 100; ++calls) {  // in the middle of others
    base::Bytes bytes(100, 1);
    for (std::uint8_t i = 0; i < calls; ++i) bytes.insert(bytes.end(), {kF, 2, 1, kE});
    bytes.push_back(kE);
    for (std::uint8_t i = 0; i < 100; ++i) bytes.insert(bytes.end(), {kF, 2});
    EXPECT_THROW(scan(bytes, 201U + 3U * calls, {kNobody}), Error);
  }
  EXPECT_THROW(scan({1, 2}, 3, {kNobody}), Error);        // an event too few
  EXPECT_THROW(scan({1, 2}, 2, {kNobody, 0, 0}), Error);  // closes too few
  EXPECT_NO_THROW(scan({1, 2, kE, 1, kE}, 5, {kNobody, 0, 0}));
}

}  // namespace
}  // namespace pathspool::match
