// One open file that is asked again and again, and files and memory of all kinds: what is chosen,
// kept and read may differ, the answers may not.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "differential/match_reference.h"
#include "pathspool/find.h"
#include "spool/spool_impl.h"
#include "support/program_model.h"
#include "support/recording.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

constexpr std::uint64_t kChunkBytes = 4096;

// A program's events, in many chunks.
testing::Recording many_chunks(std::size_t events = 200'000) {
  testing::ProgramModel model({});
  return testing::one_stream(model.events(events), 40);
}

PackOptions small_chunks() {
  PackOptions options;
  options.chunk_bytes = kChunkBytes;
  return options;
}

Query query_of(std::uint32_t function, std::vector<std::uint32_t> blocks) {
  Path path{FunctionId{function}, {}};
  for (const std::uint32_t block : blocks) path.steps.push_back({BlockId{block}});
  return {{path}, ""};
}

FindOptions counting() {
  FindOptions options;
  options.wish = Wish::count;
  return options;
}

std::uint64_t expected_count(const testing::Recording& recording, const Query& query) {
  std::uint64_t count = 0;
  for (const testing::RecordedStream& stream : recording.streams) {
    for (const Path& path : query.paths) {
      count += testing::reference_matches(stream.events, path).size();
    }
  }
  return count;
}

TEST(RepeatedSearches, the_second_one_reads_nothing) {
  const testing::Scratch scratch;
  const testing::Recording recording = many_chunks();
  for (const std::size_t segment_events : {std::size_t{1} << 30, std::size_t{20'000}}) {
    testing::write_segmented(scratch.file("a"), recording, small_chunks(), segment_events);
    const Spool spool = Spool::open(scratch.file("a"));
    for (const std::uint32_t function : {0U, 3U}) {
      const Query query = query_of(function, {1, 2});
      FindOptions options = counting();
      options.scheme = Scheme::indexed_chunks;
      const FindResult first = find(spool, std::span(&query, 1), options);
      const FindResult second = find(spool, std::span(&query, 1), options);
      EXPECT_EQ(first.answers[0].count, expected_count(recording, query));
      EXPECT_EQ(second.answers[0].count, first.answers[0].count);
      EXPECT_EQ(second.cost.chunks, first.cost.chunks);
      EXPECT_EQ(second.cost.chunks_kept, second.cost.chunks);
      EXPECT_EQ(second.cost.bytes_read, 0U);
    }
    const FindResult other = [&] {
      const Query query = query_of(5, {1});
      FindOptions options = counting();
      options.scheme = Scheme::chunks;
      static_cast<void>(find(spool, std::span(&query, 1), options));  // everything is unpacked now
      return find(spool, std::span(&query, 1), options);
    }();
    EXPECT_EQ(other.cost.bytes_read, 0U);
    EXPECT_GT(other.cost.kept_bytes, recording.streams[0].events.size());
  }
}

TEST(RepeatedSearches, nothing_is_kept_if_that_is_not_wanted) {
  const testing::Scratch scratch;
  testing::write_spool(scratch.file("a"), many_chunks(), small_chunks());
  const Spool spool = Spool::open(scratch.file("a"));
  const Query query = query_of(0, {1});
  FindOptions options = counting();
  options.keep_unpacked = false;
  for (int round = 0; round < 2; ++round) {
    const FindResult result = find(spool, std::span(&query, 1), options);
    EXPECT_EQ(result.cost.chunks_kept, 0U);
    EXPECT_EQ(result.cost.kept_bytes, 0U);
    EXPECT_GT(result.cost.bytes_read, 0U);
  }
}

TEST(RepeatedSearches, what_is_kept_stays_within_the_memory) {
  const testing::Scratch scratch;
  const testing::Recording recording = many_chunks();
  testing::write_spool(scratch.file("a"), recording, small_chunks());
  const Spool spool = Spool::open(scratch.file("a"));
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    FindOptions options = counting();
    options.memory_bytes = 1 + random() % (60 * kChunkBytes);
    options.scheme = round % 2 == 0 ? Scheme::chunks : Scheme::automatic;
    const Query query = query_of(static_cast<std::uint32_t>(random() % 12), {1, 2});
    const FindResult result = find(spool, std::span(&query, 1), options);
    ASSERT_EQ(result.answers[0].count, expected_count(recording, query));
    ASSERT_LE(result.cost.kept_bytes, options.memory_bytes);
    ASSERT_EQ(result.cost.kept_bytes, spool.impl().unpacked_chunks().memory_bytes());
  }
}

TEST(RepeatedSearches, a_part_that_fits_is_met_again) {
  const testing::Scratch scratch;
  testing::write_spool(scratch.file("a"), many_chunks(), small_chunks());
  const Spool spool = Spool::open(scratch.file("a"));
  const Query query = query_of(0, {1});
  FindOptions options = counting();
  options.scheme = Scheme::chunks;
  options.memory_bytes = 100'000;
  const FindResult first = find(spool, std::span(&query, 1), options);
  ASSERT_GT(first.cost.kept_bytes, 0U);
  const FindResult second = find(spool, std::span(&query, 1), options);
  EXPECT_GT(second.cost.chunks_kept, 0U);
  EXPECT_LT(second.cost.chunks_kept, second.cost.chunks);
  EXPECT_LT(second.cost.bytes_read, first.cost.bytes_read);
}

TEST(RepeatedSearches, more_queries_than_fit_are_answered_in_several_passes) {
  const testing::Scratch scratch;
  const testing::Recording recording = many_chunks(30'000);
  std::vector<Query> queries;
  std::mt19937_64 random(7);
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  for (int i = 0; i < 300; ++i) {
    std::vector<std::uint32_t> blocks(1 + below(4));
    for (std::uint32_t& block : blocks) block = 1 + below(30);
    queries.push_back(query_of(below(12), blocks));
  }
  for (const Form form : {Form::chunks, Form::grammar}) {
    PackOptions pack;
    pack.form = form;
    if (form == Form::chunks) pack.chunk_bytes = kChunkBytes;
    testing::write_spool(scratch.file("a"), recording, pack);
    const Spool spool = Spool::open(scratch.file("a"));
    for (const Wish wish : {Wish::count, Wish::all, Wish::first}) {
      FindOptions options;
      options.wish = wish;
      const FindResult at_once = find(spool, queries, options);
      EXPECT_EQ(at_once.cost.passes, 1U);
      options.memory_bytes = 100'000;
      options.keep_unpacked = false;
      std::vector<std::uint64_t> told;
      options.progress = [&told](std::uint64_t done, std::uint64_t total) {
        EXPECT_LE(done, total);
        told.push_back(done);
      };
      const FindResult in_parts = find(spool, queries, options);
      EXPECT_GT(in_parts.cost.passes, 1U);
      EXPECT_TRUE(std::ranges::is_sorted(told));
      for (std::size_t i = 0; i < queries.size(); ++i) {
        ASSERT_EQ(in_parts.answers[i].found, at_once.answers[i].found);
        ASSERT_EQ(in_parts.answers[i].ran, at_once.answers[i].ran);
        ASSERT_EQ(in_parts.answers[i].count, at_once.answers[i].count);
        ASSERT_TRUE(in_parts.answers[i].first == at_once.answers[i].first);
        ASSERT_TRUE(in_parts.answers[i].positions == at_once.answers[i].positions);
      }
    }
  }
}

// Stream 0 as chunks, the others as grammars.
void write_both_forms(const std::filesystem::path& path, const testing::Recording& recording) {
  testing::SegmentedFile file(path);
  file.add_tables(recording);
  spool::CompressionPool pool(Codec::zstd, 4096, std::uint64_t{1} << 30);
  for (const testing::RecordedStream& stream : recording.streams) {
    PackOptions options;
    options.form = stream.id == StreamId{0} ? Form::chunks : Form::grammar;
    std::unique_ptr<spool::SegmentEncoder> encoder;
    if (options.form == Form::chunks) {
      spool::ChunksLimits limits;
      limits.chunk_bytes = 16;
      encoder = std::make_unique<spool::ChunksEncoder>(limits, pool);
    } else {
      encoder =
          std::make_unique<spool::GrammarSegmentEncoder>(Symbols::blocks, std::uint64_t{1} << 30);
    }
    encoder->append(stream.events);
    file.add_segment(stream.id, 0, options, encoder->finish());
  }
  file.finish();
}

TEST(RepeatedSearches, each_segment_of_a_file_in_both_forms_gets_its_own_scheme) {
  const testing::Scratch scratch;
  const testing::Recording recording = testing::full_recording(4, 400);
  write_both_forms(scratch.file("a"), recording);
  testing::expect_intact(scratch.file("a"));
  const Spool spool = Spool::open(scratch.file("a"));
  const Query query = query_of(1, {1, 2});
  const FindResult result = find(spool, std::span(&query, 1), counting());
  EXPECT_EQ(result.answers[0].count, expected_count(recording, query));
  std::uint64_t of_chunks = 0;
  std::uint64_t of_grammars = 0;
  for (const SchemeChoice& choice : result.cost.choices) {
    const bool is_grammar =
        choice.scheme == Scheme::grammar || choice.scheme == Scheme::indexed_grammar;
    (is_grammar ? of_grammars : of_chunks) += choice.segments;
  }
  EXPECT_EQ(of_chunks, 1U);
  EXPECT_EQ(of_grammars, 2U);
  FindOptions options = counting();
  options.scheme = Scheme::chunks;
  EXPECT_THROW(static_cast<void>(find(spool, std::span(&query, 1), options)), Error);
  options.stream = StreamId{0};
  EXPECT_NO_THROW(static_cast<void>(find(spool, std::span(&query, 1), options)));
}

}  // namespace
}  // namespace pathspool
