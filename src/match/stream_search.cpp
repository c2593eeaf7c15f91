#include "match/stream_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "match/chunk_search.h"
#include "match/grammar_search.h"
#include "pathspool/error.h"
#include "spool/chunks_reader.h"
#include "spool/grammar_segment_reader.h"

namespace pathspool::match {
namespace {

// What a scheme needs of a segment, and what it does there.
struct Engine {
  Scheme scheme{};
  bool use_index = false;
};

// A scheme that the file does not have, which is no damage.
class MissingScheme : public Error {
 public:
  using Error::Error;
};

class StreamSearch {
 public:
  StreamSearch(const Spool::Impl& spool, StreamId stream, Scheme scheme, ChunkSearcher& chunks,
               Search& search)
      : spool_(spool),
        segments_(spool.segments_of(stream)),
        scheme_(scheme),
        chunks_(chunks),
        search_(search) {}

  void run() {
    for (std::size_t at = first_segment(); at < segments_.size() && !search_.done(); ++at) {
      const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at]);
      if (entry.first_event >= search_.bounds.to) break;
      try {
        take_segment(*spool_.segment(segments_[at]));
      } catch (const MissingScheme&) {
        throw;
      } catch (const Error& error) {
        search_.unsearched.push_back({entry.first_event, entry.first_event + entry.events,
                                      error.what(), error.offset_bytes()});
        frames_are_lost_ = true;
      }
      if (search_.progress) search_.progress(entry.first_event + entry.events);
    }
  }

 private:
  // Occurrences within the bounds may begin before them: the last segment that begins with no frame
  // open of which something is asked.
  [[nodiscard]] std::size_t first_segment() const {
    std::size_t at = 0;
    while (at < segments_.size() && end_of(at) <= search_.bounds.from) ++at;
    if (at == segments_.size()) return at;
    while (at > 0 && begins_in_frames_asked_for(at)) --at;
    return at;
  }
  [[nodiscard]] std::uint64_t end_of(std::size_t at) const {
    const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at]);
    return entry.first_event + entry.events;
  }
  [[nodiscard]] bool begins_in_frames_asked_for(std::size_t at) const {
    try {
      return asks_for_any(spool_.segment(segments_[at])->head().facts.entry.known());
    } catch (const Error&) {
      return true;  // the search will meet the damage and say so
    }
  }
  [[nodiscard]] bool asks_for_any(std::span<const FunctionId> functions) const {
    return std::ranges::any_of(functions, [this](FunctionId function) {
      return search_.paths_of(function) != FrameStates::kNobody;
    });
  }

  void take_segment(const spool::SegmentReader& segment) {
    const spool::SegmentHead& head = segment.head();
    const Engine engine = engine_for(head);
    enter_frames_of(head.facts.entry);
    frames_are_lost_ = false;
    bool holds_any = false;
    for (const FunctionId function : head.facts.functions) {
      const std::uint32_t paths = search_.paths_of(function);
      if (paths == FrameStates::kNobody) continue;
      search_.ran[paths] = true;
      holds_any = true;
    }
    const bool may_skip = scheme_ != Scheme::chunks && scheme_ != Scheme::grammar;
    if (!holds_any && may_skip) {
      ++search_.cost.segments_skipped;
      for (const spool::ChunkFacts& chunk : head.facts.chunks) {
        search_.frames.replace_from(chunk.kept_below(), chunk.opened.size());
      }
      return;
    }
    ++search_.cost.segments;
    ++search_.cost.segments_by_scheme[static_cast<std::size_t>(engine.scheme)];
    search_.use_index = engine.use_index;
    if (const auto* chunks = dynamic_cast<const spool::ChunksReader*>(&segment)) {
      chunks_.search(*chunks, search_);
    } else if (const auto* grammar = dynamic_cast<const spool::GrammarSegmentReader*>(&segment)) {
      search_grammar(*grammar, search_);
    }
  }

  [[nodiscard]] Engine engine_for(const spool::SegmentHead& head) const {
    const bool is_grammar = head.form == Form::grammar;
    const bool indexed = head.facts.index.has_value();
    const Scheme all = is_grammar ? Scheme::grammar : Scheme::chunks;
    const Scheme chosen = is_grammar ? Scheme::indexed_grammar : Scheme::indexed_chunks;
    if (scheme_ == Scheme::automatic) {
      // An index that rules nothing out is no help.
      const std::vector<bool> wanted = chunks_of_interest(head.facts, search_.functions);
      const bool helps = std::ranges::find(wanted, false) != wanted.end();
      return helps ? Engine{chosen, true} : Engine{all, false};
    }
    if (scheme_ == all) return {all, false};
    if (scheme_ == chosen && indexed) return {chosen, true};
    if (scheme_ == chosen) {
      throw MissingScheme(fmt::format("scheme {} needs an index, which the file does not have",
                                      fmt::underlying(scheme_)));
    }
    const bool for_chunks = scheme_ == Scheme::chunks || scheme_ == Scheme::indexed_chunks;
    throw MissingScheme(fmt::format("scheme {} needs form {}: the file is stored as {}",
                                    fmt::underlying(scheme_), for_chunks ? "chunks" : "grammar",
                                    name_of(head.form)));
  }

  // Those that the segment begins with are the ones that the one before left open, unless that one
  // could not be read or was not looked at.
  void enter_frames_of(const trace::FrameStack& entry) {
    std::vector<FrameStates::Frame> frames;
    frames.reserve(entry.known().size());
    for (const FunctionId function : entry.known()) frames.push_back({search_.paths_of(function)});
    const bool go_on = !frames_are_lost_ && search_.frames.depth() == entry.depth() &&
                       std::ranges::equal(search_.frames.known(), frames, {},
                                          &FrameStates::Frame::paths, &FrameStates::Frame::paths);
    if (!go_on) search_.frames = FrameStates(entry.depth(), std::move(frames));
  }

  const Spool::Impl& spool_;
  const std::vector<std::size_t>& segments_;
  Scheme scheme_;
  ChunkSearcher& chunks_;
  Search& search_;
  bool frames_are_lost_ = true;
};

}  // namespace

void search_stream(const Spool::Impl& spool, StreamId stream, Scheme scheme, ChunkSearcher& chunks,
                   Search& search) {
  StreamSearch(spool, stream, scheme, chunks, search).run();
}

}  // namespace pathspool::match
