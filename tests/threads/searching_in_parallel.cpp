// Searches run on all cores, and several of them at once.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <thread>
#include <vector>

#include "differential/match_reference.h"
#include "pathspool/find.h"
#include "spool/chunk_cache.h"
#include "support/program_model.h"
#include "support/recording.h"
#include "support/scratch.h"

namespace pathspool {
namespace {

// Several threads whatever the machine has.
const tbb::global_control four_threads(tbb::global_control::max_allowed_parallelism, 4);

testing::Recording some_recording() {
  testing::Recording recording = testing::full_recording(2, 20'000);
  recording.functions = testing::plain_functions(40);
  testing::ProgramModel model({});
  recording.streams[0].events = model.events(60'000);
  return recording;
}

PackOptions packed_as(Form form) {
  PackOptions options;
  options.form = form;
  if (form == Form::chunks) options.chunk_bytes = 500;
  return options;
}

std::vector<Query> some_queries() {
  std::vector<Query> queries;
  for (const std::uint32_t function : {0U, 1U, 3U, 7U}) {
    for (const std::uint32_t block : {1U, 2U, 3U}) {
      queries.push_back({{{FunctionId{function}, {{BlockId{1}}, {BlockId{block}}}}}, ""});
    }
  }
  return queries;
}

std::vector<std::uint64_t> expected_counts(const testing::Recording& recording,
                                           std::span<const Query> queries) {
  std::vector<std::uint64_t> counts;
  for (const Query& query : queries) {
    counts.push_back(0);
    for (const testing::RecordedStream& stream : recording.streams) {
      counts.back() += testing::reference_matches(stream.events, query.paths[0]).size();
    }
  }
  return counts;
}

void expect_counts(const Spool& spool, std::span<const Query> queries,
                   const std::vector<std::uint64_t>& expected, FindOptions options = {}) {
  options.wish = Wish::count;
  const FindResult result = find(spool, queries, options);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(result.answers[i].count, expected[i]);
  }
}

TEST(Threads, many_chunks_are_searched_at_once_and_kept) {
  const testing::Scratch scratch;
  const testing::Recording recording = some_recording();
  const std::vector<Query> queries = some_queries();
  const std::vector<std::uint64_t> expected = expected_counts(recording, queries);
  testing::write_spool(scratch.file("a"), recording, packed_as(Form::chunks));
  const Spool spool = Spool::open(scratch.file("a"));
  // Room for all, for some and for none.
  for (const std::uint64_t memory_bytes : {1U << 30, 1U << 30, 60'000U, 60'000U, 20'000U, 1U}) {
    for (const Scheme scheme : {Scheme::chunks, Scheme::indexed_chunks}) {
      FindOptions options;
      options.memory_bytes = memory_bytes;
      options.scheme = scheme;
      expect_counts(spool, queries, expected, options);
    }
  }
}

TEST(Threads, whoever_looks_for_the_first_occurrence_leaves_tasks_behind) {
  const testing::Scratch scratch;
  const testing::Recording recording = some_recording();
  testing::write_spool(scratch.file("a"), recording, packed_as(Form::chunks));
  const Spool spool = Spool::open(scratch.file("a"));
  for (const Query& query : some_queries()) {
    const std::vector<std::uint64_t> found =
        testing::reference_matches(recording.streams[0].events, query.paths[0]);
    const FindResult result = find(spool, std::span(&query, 1));
    if (found.empty()) continue;
    EXPECT_TRUE(result.answers[0].first == (Position{StreamId{0}, found.front()}));
  }
}

TEST(Threads, several_threads_search_one_file_each_through_its_own_spool) {
  const testing::Scratch scratch;
  const testing::Recording recording = some_recording();
  const std::vector<Query> queries = some_queries();
  const std::vector<std::uint64_t> expected = expected_counts(recording, queries);
  for (const Form form : {Form::chunks, Form::grammar}) {
    testing::write_spool(scratch.file("a"), recording, packed_as(form));
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const Spool spool = Spool::open(scratch.file("a"));
        for (int round = 0; round < 3; ++round) expect_counts(spool, queries, expected);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(Threads, many_threads_use_one_cache) {
  spool::ChunkCache cache;
  static constexpr std::uint64_t kBound = 40'000;
  cache.begin_search(kBound);
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache, thread] {
      for (std::uint64_t i = 0; i < 3000; ++i) {
        const std::uint64_t chunk = (i * (thread + 1)) % 97;
        if (const spool::ChunkCache::Chunk kept = cache.find(chunk)) {
          EXPECT_EQ(kept->bytes().front(), static_cast<std::uint8_t>(chunk));
        } else {
          spool::CodedEvents fresh(1000);
          fresh.bytes().front() = static_cast<std::uint8_t>(chunk);
          cache.offer(chunk, fresh);
        }
        if (i % 500 == 0) cache.begin_search(kBound);
        EXPECT_LE(cache.memory_bytes(), kBound);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace pathspool
