#include "match/chunk_search.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "match/choose_scheme.h"
#include "match/chunk_scan.h"
#include "pathspool/error.h"

namespace pathspool::match {
namespace {

using spool::ChunkFacts;

// What scanning one chunk needs to know, and what came of it.
struct PlannedChunk {
  std::size_t chunk = 0;
  std::uint64_t first_event = 0;
  std::vector<std::uint32_t> entry;  // see ChunkTask
  ChunkFindings findings;
  std::optional<Error> damage;
};

}  // namespace

// Memory that a thread uses for chunk after chunk.
class ChunkSearcher::Workspaces {
 public:
  struct Workspace {
    std::array<std::optional<codec::Decompressor>, 8> decompressors;  // by codec
    spool::CodedEvents raw;

    codec::Decompressor& decompressor(Codec codec) {
      auto& one = decompressors[static_cast<std::size_t>(codec)];
      if (!one) one.emplace(codec);
      return *one;
    }
  };
  // The calling thread's.
  Workspace& local() { return workspaces_.local(); }

  // Into the calling thread's workspace.
  const spool::CodedEvents& unpack(const spool::ChunksReader& segment, std::size_t chunk) {
    Workspace& workspace = local();
    workspace.raw.become(segment.chunk_raw_bytes(chunk));
    segment.unpack(chunk, workspace.decompressor(segment.codec()), workspace.raw.bytes());
    return workspace.raw;
  }

 private:
  tbb::enumerable_thread_specific<Workspace> workspaces_;
};

namespace {

class ChunksSearch {
 public:
  ChunksSearch(const spool::ChunksReader& segment, const ScanTables& tables,
               ChunkSearcher::Workspaces& workspaces, spool::ChunkCache& cache, Search& search)
      : segment_(segment),
        head_(segment.head()),
        tables_(tables),
        workspaces_(workspaces),
        cache_(cache),
        search_(search) {
    plan();
    shares_ = share_memory(search.memory_bytes, largest_chunk_bytes(),
                           static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency()));
    cache_.set_bound(shares_.kept_bytes);
  }

  void run() {
    // Whoever looks for the first occurrence may need no more than the first chunk.
    std::size_t at = 0;
    const bool one_by_one = shares_.chunks_at_once == 1;
    while (at < planned_.size() && (at == 0 || one_by_one) && !search_.done()) {
      scan(planned_[at]);
      merge(planned_[at]);
      ++at;
    }
    if (at < planned_.size() && !search_.done()) run_in_parallel(at);
    if (!search_.done()) skip_up_to(end_chunk_);
    search_.cost.chunks += scanned_;
    search_.cost.chunks_kept += from_cache_;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> paths_of(std::span<const FunctionId> functions) const {
    std::vector<std::uint32_t> paths;
    paths.reserve(functions.size());
    for (const FunctionId function : functions) paths.push_back(search_.paths_of(function));
    return paths;
  }

  // Lists the chunks to be scanned and follows the functions of the open frames through the facts.
  void plan() {
    const std::vector<ChunkFacts>& chunks = head_.facts.chunks;
    wanted_ = search_.use_index ? chunks_of_interest(head_.facts, search_.functions)
                                : std::vector<bool>(chunks.size(), true);
    std::vector<std::uint32_t> known;
    for (const FrameStates::Frame& frame : search_.frames.known()) known.push_back(frame.paths);
    std::int64_t lowest_known = search_.frames.depth() - static_cast<std::int64_t>(known.size());
    std::uint64_t first_event = head_.first_event;
    for (std::size_t i = 0; i < chunks.size() && first_event < search_.bounds.to; ++i) {
      const ChunkFacts& facts = chunks[i];
      if (wanted_[i] && (search_.needed.empty() || search_.needed[i])) {
        planned_.push_back({i, first_event, touched(facts, known, lowest_known), {}, {}});
      }
      const auto kept = std::clamp(facts.kept_below(), lowest_known, facts.entry_depth);
      known.resize(static_cast<std::size_t>(kept - lowest_known));
      lowest_known = std::min(lowest_known, facts.kept_below());
      const std::vector<std::uint32_t> opened = paths_of(facts.opened);
      known.insert(known.end(), opened.begin(), opened.end());
      first_event += facts.events;
      end_chunk_ = i + 1;
    }
  }

  // What the frames from one below the lowest that the chunk closes on belong to.
  [[nodiscard]] std::vector<std::uint32_t> touched(const ChunkFacts& facts,
                                                   std::span<const std::uint32_t> known,
                                                   std::int64_t lowest_known) const {
    // Each frame closed takes an event.
    const auto closed = static_cast<std::uint64_t>(facts.entry_depth - facts.kept_below());
    if (closed > facts.events) {
      throw Error("chunk's levels are malformed", segment_.chunk_offset_bytes(0));
    }
    std::vector<std::uint32_t> entry(closed + 1, FrameStates::kNobody);
    const auto reached = static_cast<std::size_t>(facts.entry_depth -
                                                  std::max(lowest_known, facts.kept_below() - 1));
    std::ranges::copy(known.last(reached), entry.end() - static_cast<std::ptrdiff_t>(reached));
    return entry;
  }

  [[nodiscard]] std::uint64_t largest_chunk_bytes() const {
    std::uint64_t largest = 0;
    for (const PlannedChunk& planned : planned_) {
      largest = std::max(largest, segment_.chunk_raw_bytes(planned.chunk));
    }
    return largest;
  }

  void run_in_parallel(std::size_t first) {
    std::size_t next = first;
    tbb::parallel_pipeline(
        shares_.chunks_at_once,
        tbb::make_filter<void, PlannedChunk*>(tbb::filter_mode::serial_in_order,
                                              [&](tbb::flow_control& control) -> PlannedChunk* {
                                                if (next == planned_.size() || stop_) {
                                                  control.stop();
                                                  return nullptr;
                                                }
                                                return &planned_[next++];
                                              }) &
            tbb::make_filter<PlannedChunk*, PlannedChunk*>(tbb::filter_mode::parallel,
                                                           [this](PlannedChunk* planned) {
                                                             if (!stop_) scan(*planned);
                                                             return planned;
                                                           }) &
            tbb::make_filter<PlannedChunk*, void>(tbb::filter_mode::serial_in_order,
                                                  [this](PlannedChunk* planned) {
                                                    if (!stop_) merge(*planned);
                                                    if (search_.done()) stop_ = true;
                                                  }));
  }

  // Called by many threads at once.
  void scan(PlannedChunk& planned) {
    const ChunkFacts& facts = head_.facts.chunks[planned.chunk];
    ++scanned_;
    const std::uint64_t key = segment_.chunk_offset_bytes(planned.chunk);
    try {
      const spool::ChunkCache::Chunk kept = cache_.find(key);
      if (kept) ++from_cache_;
      const spool::CodedEvents& raw = kept ? *kept : workspaces_.unpack(segment_, planned.chunk);
      planned.findings = scan_chunk(tables_, {raw.bytes(), facts.events, planned.first_event,
                                              planned.entry, search_.wish, search_.bounds});
      if (!planned.findings.stopped) check_frames(facts, planned.findings.open);
      if (!kept && search_.keep_unpacked) cache_.offer(key, workspaces_.local().raw);
    } catch (const Error& error) {
      const auto offset = error.offset_bytes();
      planned.damage.emplace(error.what(), offset ? *offset : key);
    }
  }

  void check_frames(const ChunkFacts& facts, std::span<const FrameStates::Frame> open) const {
    const bool agree =
        open.size() == facts.opened.size() + 1 &&
        std::ranges::equal(
            facts.opened, open.subspan(1), {},
            [this](FunctionId id) { return search_.paths_of(id); }, &FrameStates::Frame::paths);
    if (!agree) throw Error("chunk leaves other frames open than its head says");
  }

  // In the order of the chunks: puts what was found in one to what is known of the frames before.
  void merge(PlannedChunk& planned) {
    skip_up_to(planned.chunk);
    const ChunkFacts& facts = head_.facts.chunks[planned.chunk];
    next_chunk_ = planned.chunk + 1;
    if (planned.damage) {
      search_.unsearched.push_back({planned.first_event, planned.first_event + facts.events,
                                    planned.damage->what(), planned.damage->offset_bytes()});
      forget(facts);
    } else {
      replay_openings(planned);
      report(planned.findings);
      if (!planned.findings.stopped) {
        search_.frames.replace_from(facts.kept_below(),
                                    std::span(planned.findings.open).subspan(1));
      }
    }
    search_.cost.events_scanned += facts.events;
    if (search_.progress) search_.progress(planned.first_event + facts.events);
    planned = {};
  }

  // From the true states of the frames that were open before.
  void replay_openings(PlannedChunk& planned) {
    const ChunkFacts& facts = head_.facts.chunks[planned.chunk];
    ChunkFindings& findings = planned.findings;
    const std::span<FrameStates::Frame> frames = search_.frames.from_level(facts.kept_below() - 1);
    const std::size_t unknown = planned.entry.size() - frames.size();
    const std::size_t scanned_hits = findings.hits.size();
    for (std::size_t i = unknown; i < planned.entry.size(); ++i) {
      FrameStates::Frame& frame = frames[i - unknown];
      if (frame.paths == FrameStates::kNobody) continue;
      const PathAutomaton& automaton = tables_.asked()[frame.paths].automaton;
      const std::vector<Opening::Block>& blocks = findings.openings[i].blocks;
      for (const Opening::Block& block : blocks) {
        frame.state = automaton.next(frame.state, block.symbol);
        if (frame.state < automaton.first_final()) continue;
        if (block.index < search_.bounds.from || block.index >= search_.bounds.to) continue;
        findings.hits.push_back({block.index, frame});
      }
      const bool is_over = blocks.size() == automaton.longest();
      if (i == 0 && is_over && !findings.stopped) frame.state = findings.open[0].state;
    }
    // Frames in a stack are not in the order of their blocks.
    const auto replayed = findings.hits.begin() + static_cast<std::ptrdiff_t>(scanned_hits);
    std::ranges::sort(replayed, findings.hits.end(), {}, &Hit::index);
    std::ranges::inplace_merge(findings.hits, replayed, {}, &Hit::index);
  }

  void report(const ChunkFindings& findings) {
    for (const Hit& hit : findings.hits) search_.found_in_state(hit.frame, hit.index);
    if (findings.counts.empty()) return;
    for (std::uint32_t i = 0; i < search_.functions.size(); ++i) {
      const FunctionPaths& paths = search_.functions[i];
      for (PathAutomaton::State state = paths.automaton.first_final();
           state < paths.automaton.states(); ++state) {
        const std::uint64_t times = findings.counts[tables_[i].first_state + state];
        if (times == 0) continue;
        for (const std::uint32_t path : paths.automaton.found(state)) {
          search_.found(paths.queries[path], 0, times);
        }
      }
    }
  }

  void skip_up_to(std::size_t chunk) {
    for (; next_chunk_ < chunk; ++next_chunk_) {
      const ChunkFacts& facts = head_.facts.chunks[next_chunk_];
      if (wanted_[next_chunk_]) {
        // It lies before the bounds, and how far its frames have come does not matter.
        search_.frames.replace_from(facts.kept_below(), new_frames(facts));
      } else {
        search_.frames.replace_from(facts.kept_below(), facts.opened.size());
      }
      ++search_.cost.chunks_skipped;
    }
  }

  // Those that the chunk opens, as if they had no blocks in it.
  [[nodiscard]] std::vector<FrameStates::Frame> new_frames(const ChunkFacts& facts) const {
    std::vector<FrameStates::Frame> opened;
    for (const std::uint32_t paths : paths_of(facts.opened)) opened.push_back({paths});
    return opened;
  }

  // What a chunk does that cannot be read: nothing is known of the frames that it touched.
  void forget(const ChunkFacts& facts) {
    for (FrameStates::Frame& frame : search_.frames.from_level(facts.kept_below() - 1)) {
      frame.state = PathAutomaton::kStart;
    }
    search_.frames.replace_from(facts.kept_below(), new_frames(facts));
  }

  const spool::ChunksReader& segment_;
  const spool::SegmentHead& head_;
  const ScanTables& tables_;
  ChunkSearcher::Workspaces& workspaces_;
  spool::ChunkCache& cache_;
  Search& search_;
  MemoryShares shares_;
  std::vector<bool> wanted_;  // by chunk: it may hold events of the functions asked for
  std::vector<PlannedChunk> planned_;
  std::size_t next_chunk_ = 0;  // to be merged or skipped
  std::size_t end_chunk_ = 0;   // the first that lies beyond the bounds
  std::atomic<std::uint64_t> scanned_ = 0;
  std::atomic<std::uint64_t> from_cache_ = 0;
  std::atomic<bool> stop_ = false;
};

}  // namespace

std::vector<bool> chunks_of_interest(const spool::SegmentFacts& facts,
                                     std::span<const FunctionPaths> functions) {
  if (!facts.index) return std::vector<bool>(facts.chunks.size(), true);
  std::vector<bool> wanted(facts.chunks.size());
  for (const FunctionPaths& paths : functions) {
    for (const spool::ChunkRun& run : facts.index->runs_of(paths.function)) {
      std::fill(wanted.begin() + run.first, wanted.begin() + run.last + 1, true);
    }
  }
  return wanted;
}

ChunkSearcher::ChunkSearcher(std::span<const FunctionPaths> functions, std::uint64_t function_count)
    : tables_(functions, function_count), workspaces_(std::make_unique<Workspaces>()) {}

ChunkSearcher::~ChunkSearcher() = default;

void ChunkSearcher::search(const spool::ChunksReader& segment, spool::ChunkCache& cache,
                           Search& search) {
  ChunksSearch(segment, tables_, *workspaces_, cache, search).run();
}

std::uint64_t ChunkSearcher::blocks_of_kept_frame(const spool::ChunksReader& segment,
                                                  spool::ChunkCache& cache, std::size_t chunk,
                                                  std::uint32_t paths) {
  const ChunkFacts& facts = segment.head().facts.chunks[chunk];
  const auto closed = static_cast<std::uint64_t>(facts.entry_depth - facts.kept_below());
  const std::uint64_t any = tables_[paths].longest;
  if (closed > facts.events) return any;
  // Nothing is asked of the frames that are closed in the chunk.
  std::vector<std::uint32_t> entry(closed + 1, FrameStates::kNobody);
  entry.front() = paths;
  const Bounds nowhere{0, 0};
  const std::uint64_t key = segment.chunk_offset_bytes(chunk);
  try {
    const spool::ChunkCache::Chunk kept = cache.find(key);
    const spool::CodedEvents& raw = kept ? *kept : workspaces_->unpack(segment, chunk);
    const ChunkFindings findings =
        scan_chunk(tables_, {raw.bytes(), facts.events, 0, entry, Wish::count, nowhere});
    // It will be searched soon.
    if (!kept) cache.offer(key, workspaces_->local().raw);
    return findings.openings.front().blocks.size();
  } catch (const Error&) {
    return any;
  }
}

}  // namespace pathspool::match
