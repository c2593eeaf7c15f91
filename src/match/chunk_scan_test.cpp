#include "match/chunk_scan.h"

#include <gtest/gtest.h>

#include "pathspool/error.h"
#include "spool/event_coding.h"

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
      base::Bytes padded = bytes;
      EXPECT_THROW(scan(padded, 1, {running}), Error);
    }
  }
}

TEST(ChunkScan, what_contradicts_the_facts_is_refused) {
  EXPECT_THROW(scan({1, 2, kE}, 3, {kNobody}), Error);    // closes a frame too many
  EXPECT_THROW(scan({1, 2}, 3, {kNobody}), Error);        // an event too few
  EXPECT_THROW(scan({1, 2}, 2, {kNobody, 0, 0}), Error);  // closes too few
  EXPECT_NO_THROW(scan({1, 2, kE, 1, kE}, 5, {kNobody, 0, 0}));
}

}  // namespace
}  // namespace pathspool::match
