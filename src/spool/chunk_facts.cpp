#include "spool/chunk_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "pathspool/error.h"

namespace pathspool::spool {
namespace {

constexpr std::int64_t kNoLevel = std::numeric_limits<std::int64_t>::max();
// Levels and depths in a file lie within this, so that sums of two never wrap.
constexpr std::int64_t kFarthestDepth = std::int64_t{1} << 60;

bool plausible(std::int64_t depth) { return depth > -kFarthestDepth && depth < kFarthestDepth; }

void write_ids(base::ByteWriter& writer, std::span<const FunctionId> functions) {
  for (const FunctionId function : functions) writer.varint(static_cast<std::uint32_t>(function));
}

std::vector<FunctionId> read_ids(base::ByteReader& reader, std::uint64_t count,
                                 std::uint64_t function_count) {
  std::vector<FunctionId> functions;
  if (count > reader.left()) reader.fail();
  if (reader.failed()) return functions;
  functions.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t id = reader.varint32();
    if (id >= function_count) reader.fail();
    functions.push_back(FunctionId{id});
  }
  return functions;
}

ChunkFacts read_chunk(base::ByteReader& reader, std::int64_t entry_depth,
                      std::uint64_t function_count) {
  ChunkFacts chunk;
  chunk.entry_depth = entry_depth;
  chunk.events = reader.varint();
  const std::int64_t rise = reader.signed_varint();
  const std::uint64_t exit_code = reader.varint();
  if (chunk.events == 0 || chunk.events > std::uint64_t{1} << 60) reader.fail();
  if (!plausible(rise) || !plausible(static_cast<std::int64_t>(exit_code >> 1))) reader.fail();
  if (reader.failed()) return chunk;
  chunk.exit_depth = entry_depth + rise;
  if (exit_code > 0) chunk.lowest_exit = entry_depth - 1 - base::unzigzag(exit_code - 1);
  const std::int64_t opened = chunk.exit_depth - chunk.kept_below();
  if (!plausible(chunk.exit_depth) || opened < 0) {
    reader.fail();
    return chunk;
  }
  chunk.opened = read_ids(reader, static_cast<std::uint64_t>(opened), function_count);
  return chunk;
}

}  // namespace

std::span<const ChunkRun> ChunkIndex::runs_of(FunctionId function) const {
  const auto at = std::ranges::lower_bound(functions_, function);
  if (at == functions_.end() || *at != function) return {};
  const auto place = static_cast<std::size_t>(at - functions_.begin());
  const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
  return std::span(runs_).subspan(begin, ends_[place] - begin);
}

std::uint64_t SegmentFacts::events() const {
  std::uint64_t sum = 0;
  for (const ChunkFacts& chunk : chunks) sum += chunk.events;
  return sum;
}

trace::FrameStack SegmentFacts::frames_before(std::size_t chunk) const {
  trace::FrameStack frames = entry;
  for (std::size_t i = 0; i < chunk; ++i) {
    frames.replace_from(chunks[i].kept_below(), chunks[i].opened);
  }
  return frames;
}

FactsBuilder::FactsBuilder(trace::FrameStack entry) : frames_(std::move(entry)) {
  facts_.entry = frames_;
  deepest_ = std::numeric_limits<std::int64_t>::min();
  begin_chunk();
}

void FactsBuilder::begin_chunk() {
  chunk_ = {};
  chunk_.entry_depth = frames_.depth();
  lowest_exit_ = kNoLevel;
  running_is_marked_ = false;
}

void FactsBuilder::mark(FunctionId function) {
  const auto id = static_cast<std::size_t>(function);
  const auto chunk = static_cast<std::uint32_t>(facts_.chunks.size());
  if (id >= runs_.size()) runs_.resize(id + 1);
  std::vector<ChunkRun>& runs = runs_[id];
  if (runs.empty() || runs.back().last + 1 < chunk) {
    runs.push_back({chunk, chunk});
    ++run_count_;
  } else {
    runs.back().last = chunk;
  }
}

void FactsBuilder::add(std::span<const Event> events) {
  chunk_.events += events.size();
  for (const Event& event : events) {
    if (event.kind == EventKind::block) {
      if (running_is_marked_) continue;
      if (const auto running = frames_.running()) mark(*running);
      running_is_marked_ = true;
    } else if (event.kind == EventKind::enter) {
      deepest_ = std::max(deepest_, frames_.depth());
      frames_.enter(event.function());
      mark(event.function());
      running_is_marked_ = true;
    } else {
      frames_.exit();
      lowest_exit_ = std::min(lowest_exit_, frames_.depth());
      running_is_marked_ = false;
    }
  }
  if (frames_.known().size() > kMostFrames) {
    throw Error(fmt::format("more than {} frames are open at once", kMostFrames));
  }
}

void FactsBuilder::close_chunk() {
  chunk_.exit_depth = frames_.depth();
  if (lowest_exit_ != kNoLevel) chunk_.lowest_exit = lowest_exit_;
  const auto opened = static_cast<std::size_t>(chunk_.exit_depth - chunk_.kept_below());
  const std::vector<FunctionId>& known = frames_.known();
  chunk_.opened.assign(known.end() - static_cast<std::ptrdiff_t>(opened), known.end());
  opened_count_ += opened;
  facts_.chunks.push_back(std::move(chunk_));
  begin_chunk();
}

std::uint64_t FactsBuilder::memory_bytes() const {
  return facts_.chunks.capacity() * sizeof(ChunkFacts) + runs_.size() * sizeof(runs_[0]) +
         2 * run_count_ * sizeof(ChunkRun) + opened_count_ * sizeof(FunctionId);
}

SegmentFacts FactsBuilder::finish() {
  if (deepest_ != std::numeric_limits<std::int64_t>::min()) facts_.deepest = deepest_;
  facts_.index.emplace();
  for (std::size_t id = 0; id < runs_.size(); ++id) {
    if (runs_[id].empty()) continue;
    facts_.functions.push_back(FunctionId{static_cast<std::uint32_t>(id)});
    facts_.index->add(facts_.functions.back(), runs_[id]);
  }
  SegmentFacts finished = std::move(facts_);
  *this = FactsBuilder(std::move(frames_));
  return finished;
}

void write_facts(base::ByteWriter& writer, const SegmentFacts& facts) {
  writer.signed_varint(facts.entry.depth());
  writer.varint(facts.entry.known().size());
  write_ids(writer, facts.entry.known());
  // 0 for none, otherwise the level plus one in zigzag.
  writer.varint(facts.deepest ? base::zigzag(*facts.deepest) + 1 : 0);

  writer.varint(facts.functions.size());
  std::uint32_t next = 0;
  for (const FunctionId function : facts.functions) {
    writer.varint(static_cast<std::uint32_t>(function) - next);
    next = static_cast<std::uint32_t>(function) + 1;
  }

  writer.varint(facts.chunks.size());
  for (const ChunkFacts& chunk : facts.chunks) {
    writer.varint(chunk.events);
    writer.signed_varint(chunk.exit_depth - chunk.entry_depth);
    // 0 for none, otherwise one more than how far below the entry, in zigzag: small as a rule.
    writer.varint(chunk.lowest_exit ? base::zigzag(chunk.entry_depth - 1 - *chunk.lowest_exit) + 1
                                    : 0);
    write_ids(writer, chunk.opened);
  }
}

SegmentFacts read_facts(base::ByteReader& reader, std::uint64_t function_count,
                        std::uint64_t most_chunks) {
  SegmentFacts facts;
  const std::int64_t depth = reader.signed_varint();
  if (!plausible(depth)) reader.fail();
  std::vector<FunctionId> known = read_ids(reader, reader.varint(), function_count);
  facts.entry = trace::FrameStack(depth, std::move(known));
  if (const std::uint64_t deepest = reader.varint(); deepest > 0) {
    facts.deepest = base::unzigzag(deepest - 1);
  }

  const std::uint64_t claimed_functions = reader.count();
  std::uint64_t next = 0;
  facts.functions.reserve(claimed_functions);
  for (std::uint64_t i = 0; i < claimed_functions && !reader.failed(); ++i) {
    next += reader.varint32();
    if (next >= function_count) reader.fail();
    facts.functions.push_back(FunctionId{static_cast<std::uint32_t>(next++)});
  }

  const std::uint64_t claimed_chunks = reader.count(3);
  if (claimed_chunks > std::min<std::uint64_t>(most_chunks, UINT32_MAX)) reader.fail();
  std::int64_t entry_depth = depth;
  std::uint64_t events = 0;
  for (std::uint64_t i = 0; i < claimed_chunks && !reader.failed(); ++i) {
    facts.chunks.push_back(read_chunk(reader, entry_depth, function_count));
    entry_depth = facts.chunks.back().exit_depth;
    events += facts.chunks.back().events;
    if (events > std::uint64_t{1} << 61) reader.fail();
  }
  return facts;
}

void write_index(base::ByteWriter& writer, const SegmentFacts& facts) {
  for (const FunctionId function : facts.functions) {
    const std::span<const ChunkRun> runs = facts.index->runs_of(function);
    writer.varint(runs.size());
    std::uint32_t next = 0;
    for (const ChunkRun& run : runs) {
      writer.varint(run.first - next);
      writer.varint(run.last - run.first);
      next = run.last + 1;
    }
  }
}

ChunkIndex read_index(base::ByteReader& reader, const SegmentFacts& facts) {
  ChunkIndex index;
  std::vector<ChunkRun> runs;
  for (const FunctionId function : facts.functions) {
    const std::uint64_t claimed = reader.count(2);
    if (claimed == 0) reader.fail();
    runs.clear();
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < claimed && !reader.failed(); ++i) {
      const std::uint64_t first = next + reader.varint32();
      const std::uint64_t last = first + reader.varint32();
      if (last >= facts.chunks.size()) reader.fail();
      runs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
      next = last + 1;
    }
    if (reader.failed()) break;
    index.add(function, runs);
  }
  return index;
}

}  // namespace pathspool::spool
