#include "match/search_start.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "pathspool/error.h"
#include "spool/chunks_reader.h"

namespace pathspool::match {
namespace {

class WayBack {
 public:
  WayBack(const Spool::Impl& spool, std::span<const std::size_t> segments, bool by_index,
          ChunkSearcher& chunks, const Search& search)
      : spool_(spool), segments_(segments), by_index_(by_index), chunks_(chunks), search_(search) {}

  SearchStart go() {
    std::size_t& at = start_.segment;
    while (at < segments_.size() && end_of(at) <= search_.bounds.from) ++at;
    if (at == segments_.size() || search_.bounds.from == 0) return std::move(start_);
    try {
      Spool::Impl::Reader segment = spool_.segment(segments_[at]);
      const spool::SegmentHead& head = segment->head();
      const std::size_t chunk = spool::chunk_holding(head.facts, from_within(head)).chunk;
      leave_open_frames(head, chunk);
      needed_of(at, head).assign(head.facts.chunks.size(), true);
      go_back(at, *segment, chunk);
      while (at > 0 && !open_.empty()) {
        --at;
        segment = spool_.segment(segments_[at]);
        go_back(at, *segment, segment->head().facts.chunks.size());
      }
    } catch (const Error&) {
      // The search begins with the damaged segment and says so.
    }
    return std::move(start_);
  }

 private:
  // A frame that is open where the bounds begin, and of whose last blocks some are still missing.
  struct OpenFrame {
    std::int64_t level = 0;
    std::uint32_t paths = 0;
    std::uint64_t missing_blocks = 0;
  };

  [[nodiscard]] std::uint64_t end_of(std::size_t at) const {
    const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at]);
    return entry.first_event + entry.events;
  }
  [[nodiscard]] std::uint64_t from_within(const spool::SegmentHead& head) const {
    return std::max(search_.bounds.from, head.first_event) - head.first_event;
  }
  std::vector<bool>& needed_of(std::size_t at, const spool::SegmentHead& head) {
    std::vector<bool>& needed = start_.needed[at];
    needed.resize(head.facts.chunks.size());
    return needed;
  }

  // Those before the chunk that something is asked of and that can run within the bounds.
  void leave_open_frames(const spool::SegmentHead& head, std::size_t chunk) {
    const std::int64_t lowest = lowest_level_within_bounds(head, chunk);
    const trace::FrameStack frames = head.facts.frames_before(chunk);
    std::int64_t level = frames.depth() - static_cast<std::int64_t>(frames.known().size());
    for (const FunctionId function : frames.known()) {
      const std::uint32_t paths = search_.paths_of(function);
      if (paths != FrameStates::kNobody && level >= lowest) {
        const std::uint32_t longest = search_.functions[paths].automaton.longest();
        if (longest > 1) open_.push_back({level, paths, longest - 1});
      }
      ++level;
    }
  }

  // Only known if the bounds end in this segment.
  [[nodiscard]] std::int64_t lowest_level_within_bounds(const spool::SegmentHead& head,
                                                        std::size_t chunk) const {
    if (search_.bounds.to > head.first_event + head.events) {
      return std::numeric_limits<std::int64_t>::min();
    }
    const std::uint64_t to = search_.bounds.to - head.first_event;
    const std::size_t last = spool::chunk_holding(head.facts, to - 1).chunk;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = chunk; i <= last; ++i) {
      lowest = std::min(lowest, head.facts.chunks[i].kept_below() - 1);
    }
    return lowest;
  }

  // From before `chunk` to the segment's start, or until nothing is missing.
  void go_back(std::size_t at, const spool::SegmentReader& segment, std::size_t chunk) {
    const spool::SegmentFacts& facts = segment.head().facts;
    std::vector<bool>& needed = needed_of(at, segment.head());
    std::fill(needed.begin(), needed.begin() + static_cast<std::ptrdiff_t>(chunk), false);
    const std::vector<bool> wanted = by_index_ ? chunks_of_interest(facts, search_.functions)
                                               : std::vector<bool>(facts.chunks.size(), true);
    const auto* const chunks = dynamic_cast<const spool::ChunksReader*>(&segment);
    while (chunk-- > 0 && !open_.empty()) {
      const std::int64_t kept_below = facts.chunks[chunk].kept_below();
      // Frames from there on were opened in this chunk. Of the others, only the uppermost can have
      // blocks in it.
      while (!open_.empty() && open_.back().level >= kept_below) {
        needed[chunk] = true;
        open_.pop_back();
      }
      if (open_.empty() || open_.back().level != kept_below - 1 || !wanted[chunk]) continue;
      needed[chunk] = true;
      if (chunks == nullptr) continue;  // a grammar's chunk does not tell how many
      OpenFrame& frame = open_.back();
      const std::uint64_t blocks =
          chunks_.blocks_of_kept_frame(*chunks, spool_.unpacked_chunks(), chunk, frame.paths);
      frame.missing_blocks -= std::min(frame.missing_blocks, blocks);
      if (frame.missing_blocks == 0) open_.pop_back();
    }
  }

  const Spool::Impl& spool_;
  std::span<const std::size_t> segments_;
  bool by_index_;
  ChunkSearcher& chunks_;
  const Search& search_;
  std::vector<OpenFrame> open_;  // by rising level
  SearchStart start_;
};

}  // namespace

SearchStart search_start(const Spool::Impl& spool, std::span<const std::size_t> segments,
                         bool by_index, ChunkSearcher& chunks, const Search& search) {
  return WayBack(spool, segments, by_index, chunks, search).go();
}

}  // namespace pathspool::match
