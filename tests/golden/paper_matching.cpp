// The examples of the path-matching paper, by every scheme.
#include <gtest/gtest.h>

#include <string>

#include "pathspool/find.h"
#include "pathspool/pack.h"
#include "support/pack_ways.h"
#include "support/recording.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

void pack_string(std::string_view text, const std::filesystem::path& path,
                 const PackOptions& options) {
  pack_text(
      [&text](std::span<char> buffer) {
        const std::size_t count = text.copy(buffer.data(), buffer.size());
        text.remove_prefix(count);
        return count;
      },
      path, options);
  testing::expect_intact(path);
}

struct Found {
  FindResult result;
  std::vector<std::uint64_t> positions;
};

Found find_all(const Spool& spool, std::string_view text, Scheme scheme) {
  const Query query = resolve_query(spool.functions(), parse_query(text));
  FindOptions options;
  options.wish = Wish::all;
  options.scheme = scheme;
  Found found{find(spool, std::span(&query, 1), options), {}};
  for (const Position& position : found.result.answers[0].positions) {
    found.positions.push_back(position.index);
  }
  return found;
}

// By every scheme, in chunks of about `chunk_bytes`.
void expect_found(std::string_view trace, std::string_view query,
                  const std::vector<std::uint64_t>& positions, std::uint64_t chunk_bytes = 1024) {
  const testing::Scratch scratch;
  for (testing::PackWay way : testing::main_pack_ways()) {
    SCOPED_TRACE(way.name);
    way.options.chunk_bytes = chunk_bytes;
    pack_string(trace, scratch.file("a"), way.options);
    const Spool spool = Spool::open(scratch.file("a"));
    const bool chunks = way.options.form == Form::chunks;
    for (const Scheme scheme : {Scheme::automatic, chunks ? Scheme::chunks : Scheme::grammar,
                                chunks ? Scheme::indexed_chunks : Scheme::indexed_grammar}) {
      EXPECT_EQ(find_all(spool, query, scheme).positions, positions);
    }
  }
}

TEST(PaperMatching, figure_1_has_the_path_twice_first_at_14) {
  expect_found("Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3 E", "F1: B1 B2 B3",
               {14, 16});
}

TEST(PaperMatching, figure_2_a_block_goes_with_those_of_its_own_call_only) {
  // B3 after the inner call goes with B1 B2 before it; the one of the call that follows does not.
  expect_found("main B1 F1 B1 B2 F1 B1 B4 E B3 E F1 B3 E E", "F1: B1 B2 B3", {9});
  // Nor does the inner call's B3 go with the outer call's B1 B2.
  expect_found("main B1 F1 B1 B2 F1 B3 E B4 E E", "F1: B1 B2 B3", {});
}

TEST(PaperMatching, figure_6_rules_that_span_levels_still_match) {
  // The same calls over and over, so that rules hold parts of several levels.
  std::string trace = "main B1 ";
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 12; ++i) {
    trace += "F1 B1 B2 F1 B1 B2 E B3 E ";
    expected.push_back(2 + 9 * i + 7);
  }
  expect_found(trace + "E", "F1: B1 B2 B3", expected);
}

TEST(PaperMatching, figure_8_chunks_without_the_function_are_never_unpacked) {
  // F is in the first chunks only; the rest goes up and down without it.
  std::string trace = "main B1 F B1 B2 B3 E ";
  for (int i = 0; i < 200; ++i) trace += "G B1 G B2 E B3 E ";
  const testing::Scratch scratch;
  PackOptions options;
  options.chunk_bytes = 64;
  pack_string(trace + "E", scratch.file("a"), options);
  const Spool spool = Spool::open(scratch.file("a"));
  const Found found = find_all(spool, "F: B1 B2 B3", Scheme::indexed_chunks);
  EXPECT_EQ(found.positions, std::vector<std::uint64_t>{5});
  EXPECT_EQ(found.result.cost.chunks, 1U);
  EXPECT_GT(found.result.cost.chunks_skipped, 20U);
  EXPECT_LE(found.result.cost.events_scanned, 64U);
  EXPECT_EQ(find_all(spool, "F: B1 B2 B3", Scheme::chunks).result.cost.chunks_skipped, 0U);
}

TEST(PaperMatching, figure_8_a_frame_below_a_skipped_chunk_keeps_its_state) {
  // F's call is open while chunks pass that hold nothing of it.
  std::string trace = "main B1 F B1 B2 ";
  for (int i = 0; i < 50; ++i) trace += "G B1 G B2 E B3 E ";
  expect_found(trace + "B3 E E", "F: B1 B2 B3", {5 + 50 * 7}, 32);
  // And one that a skipped chunk closes does not come back: this B3 is of another call.
  expect_found(trace + "E F B3 E E", "F: B1 B2 B3", {}, 32);
}

TEST(PaperMatching, figure_9_parts_of_the_start_rule_without_the_function_are_not_decoded) {
  // No two stretches are alike, so that the start rule is long and has many parts.
  std::string trace = "main B1 F B1 B2 B3 E ";
  std::uint64_t random = 1;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    trace += "G B" + std::to_string(1 + (random >> 40) % 50) + " E ";
  }
  const testing::Scratch scratch;
  PackOptions options;
  options.form = Form::grammar;
  options.symbols = Symbols::blocks;
  pack_string(trace + "E", scratch.file("a"), options);
  const Spool spool = Spool::open(scratch.file("a"));
  const Found found = find_all(spool, "F: B1 B2 B3", Scheme::indexed_grammar);
  EXPECT_EQ(found.positions, std::vector<std::uint64_t>{5});
  EXPECT_EQ(found.result.cost.chunks, 1U);
  EXPECT_GT(found.result.cost.chunks_skipped, 5U);
  EXPECT_EQ(found.result.cost.events_scanned, 0U);
}

}  // namespace
}  // namespace pathspool
