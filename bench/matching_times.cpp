#include "matching_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "match/chunk_scan.h"
#include "match/scan_tables.h"
#include "match/search.h"
#include "pathspool/error.h"
#include "spool/chunks_reader.h"
#include "spool/spool_impl.h"
#include "stopwatch.h"

namespace pathspool::bench {
namespace {

// What is short is run more often, since it costs nothing.
double settled(unsigned repeats, const std::function<double()>& run) {
  constexpr double kEnoughNs = 5e7;
  constexpr std::size_t kMostTimes = 5;
  std::vector<double> times;
  double sum = 0;
  while (times.size() < repeats || (sum < kEnoughNs && times.size() < kMostTimes * repeats)) {
    times.push_back(run());
    sum += times.back();
  }
  return median(std::move(times));
}

struct Asked {
  const std::filesystem::path* file = nullptr;
  FindOptions options;
};

FindResult ask(const Spool& spool, const Query& query, const FindOptions& options) {
  FindResult result = find(spool, std::span(&query, 1), options);
  if (!result.unsearched.empty()) throw Error("a part of the recording could not be searched");
  return result;
}

// As the command line asks, which has no next search to keep unpacked chunks for.
double cold_ns(Asked asked, const Query& query, unsigned repeats) {
  asked.options.keep_unpacked = false;
  return settled(repeats, [&] {
    const Spool spool = Spool::open(*asked.file);
    return nanoseconds_of(cpu_nanoseconds, [&] { (void)ask(spool, query, asked.options); });
  });
}

// As the library asks by default: unpacked chunks and decoded grammars stay with the open file.
double kept_ns(const Asked& asked, const Query& query, const Query& before, unsigned repeats) {
  const Spool spool = Spool::open(*asked.file);
  (void)ask(spool, before, asked.options);
  return settled(repeats, [&] {
    return nanoseconds_of(cpu_nanoseconds, [&] { (void)ask(spool, query, asked.options); });
  });
}

// Whether chunks first, first + 1, .. of the segment hold events of the function.
std::vector<bool> chunks_with(const spool::SegmentFacts& facts, FunctionId function) {
  std::vector<bool> with(facts.chunks.size());
  if (!facts.index) throw Error("the spool has no index");
  for (const spool::ChunkRun& run : facts.index->runs_of(function)) {
    std::fill(with.begin() + run.first, with.begin() + run.last + 1, true);
  }
  return with;
}

const spool::ChunksReader& as_chunks(const spool::SegmentReader& segment) {
  const auto* const chunks = dynamic_cast<const spool::ChunksReader*>(&segment);
  if (chunks == nullptr) throw Error("the spool is not of form chunks");
  return *chunks;
}

// What a way of finding answers, and what it cost.
struct Answered {
  std::uint64_t count = 0;
  std::optional<std::uint64_t> first;
  FindCost cost;
};

Answered answer_of(const Asked& asked, const Query& query) {
  const Spool spool = Spool::open(*asked.file);
  const FindResult counted = ask(spool, query, asked.options);
  FindOptions options = asked.options;
  options.wish = Wish::first;
  const auto first = ask(spool, query, options).answers.front().first;
  Answered answered{counted.answers.front().count, std::nullopt, counted.cost};
  if (first) answered.first = first->index;
  return answered;
}

// What the frames from one below the lowest that the chunk closes on belong to, as ChunkTask wants
// it.
std::vector<std::uint32_t> entry_of(const spool::SegmentFacts& facts, std::size_t chunk,
                                    FunctionId function) {
  const spool::ChunkFacts& one = facts.chunks[chunk];
  const auto touched = static_cast<std::size_t>(one.entry_depth - one.kept_below() + 1);
  const trace::FrameStack before = facts.frames_before(chunk);
  const std::vector<FunctionId>& known = before.known();
  std::vector<std::uint32_t> entry(touched, match::FrameStates::kNobody);
  const std::size_t reached = std::min(touched, known.size());
  for (std::size_t i = 0; i < reached; ++i) {
    if (known[known.size() - reached + i] == function) entry[touched - reached + i] = 0;
  }
  return entry;
}

}  // namespace

PathTimes time_path(const MatchingFiles& files, const PathType& type,
                    const std::vector<BlockId>& path, const std::vector<BlockId>& before,
                    unsigned repeats) {
  struct Way {
    const char* name;
    Scheme scheme;
    const std::filesystem::path* file;
  };
  const Way ways[] = {{"1", Scheme::chunks, &files.chunks},
                      {"2", Scheme::grammar, &files.grammar},
                      {"3", Scheme::indexed_chunks, &files.chunks},
                      {"4", Scheme::indexed_grammar, &files.grammar},
                      {"auto, chunks", Scheme::automatic, &files.chunks},
                      {"auto, grammar", Scheme::automatic, &files.grammar}};
  const Query query = query_for(type.function, path);
  const Query asked_before = query_for(type.function, before);
  PathTimes times;
  for (const Way& way : ways) {
    Asked asked{way.file, {}};
    asked.options.scheme = way.scheme;
    asked.options.wish = Wish::count;
    const Answered answered = answer_of(asked, query);
    if (times.schemes.empty()) {
      times.count = answered.count;
      times.first = answered.first;
    } else if (times.count != answered.count || times.first != answered.first) {
      throw Error(fmt::format("scheme {} counts {}, scheme 1 {}, or their first ones differ",
                              way.name, answered.count, times.count));
    }
    SchemeTimes one;
    one.name = way.name;
    one.cold_ns = cold_ns(asked, query, repeats);
    one.kept_ns = kept_ns(asked, query, asked_before, repeats);
    one.cost = answered.cost;
    times.schemes.push_back(std::move(one));
  }
  return times;
}

double unpacking_ns(const std::filesystem::path& file, std::optional<FunctionId> only,
                    unsigned repeats) {
  return settled(repeats, [&] {
    const Spool spool = Spool::open(file);
    double sum = 0;
    base::Bytes raw;
    for (std::size_t i = 0; i < spool.impl().segment_count(); ++i) {
      const auto segment = spool.impl().segment(i);
      const spool::ChunksReader& chunks = as_chunks(*segment);
      const std::vector<bool> with =
          only ? chunks_with(chunks.head().facts, *only)
               : std::vector<bool>(chunks.head().facts.chunks.size(), true);
      sum += nanoseconds_of(cpu_nanoseconds, [&] {
        codec::Decompressor decompressor(chunks.codec());
        for (std::size_t chunk = 0; chunk < with.size(); ++chunk) {
          if (with[chunk]) chunks.unpack(chunk, decompressor, raw);
        }
      });
    }
    return sum;
  });
}

double opening_ns(const std::filesystem::path& file, unsigned repeats) {
  return settled(repeats,
                 [&] { return nanoseconds_of(cpu_nanoseconds, [&] { (void)Spool::open(file); }); });
}

std::optional<ScanTime> time_scan(const std::filesystem::path& file, const PathType& type,
                                  bool where_it_runs, unsigned repeats) {
  if (type.paths.empty()) return std::nullopt;
  std::vector<std::vector<BlockId>> steps;
  for (const BlockId block : type.paths.front().blocks) steps.push_back({block});
  const match::PathQuery query{0, type.function, std::move(steps)};
  const std::vector<match::FunctionPaths> functions =
      match::paths_by_function(std::span(&query, 1));
  const Spool spool = Spool::open(file);
  const match::ScanTables tables(functions, spool.functions().size());
  double sum = 0;
  std::uint64_t events = 0;
  base::Bytes raw;
  for (std::size_t i = 0; i < spool.impl().segment_count(); ++i) {
    const auto segment = spool.impl().segment(i);
    const spool::ChunksReader& chunks = as_chunks(*segment);
    const spool::SegmentFacts& facts = chunks.head().facts;
    const std::vector<bool> with = chunks_with(facts, type.function);
    codec::Decompressor decompressor(chunks.codec());
    std::uint64_t first_event = chunks.head().first_event;
    for (std::size_t chunk = 0; chunk < with.size(); ++chunk) {
      const std::uint64_t count = facts.chunks[chunk].events;
      if (with[chunk] == where_it_runs) {
        chunks.unpack(chunk, decompressor, raw);
        const std::vector<std::uint32_t> entry = entry_of(facts, chunk, type.function);
        sum += median_of(repeats, [&] {
          return nanoseconds_of(cpu_nanoseconds, [&] {
            (void)match::scan_chunk(tables, {raw, count, first_event, entry, Wish::count, {}});
          });
        });
        events += count;
      }
      first_event += count;
    }
  }
  if (events == 0) return std::nullopt;
  return ScanTime{sum / static_cast<double>(events), events};
}

}  // namespace pathspool::bench
