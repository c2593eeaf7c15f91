#include "match/stream_search.h"

#include <algorithm>
#include <vector>

#include "match/choose_scheme.h"
#include "match/chunk_search.h"
#include "match/grammar_search.h"
#include "match/search_start.h"
#include "pathspool/error.h"
#include "spool/chunks_reader.h"
#include "spool/grammar_segment_reader.h"

namespace pathspool::match {
namespace {

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
    SearchStart start = search_start(spool_, segments_, may_skip(), chunks_, search_);
    for (std::size_t at = start.segment; at < segments_.size() && !search_.done(); ++at) {
      const spool::SegmentEntry& entry = spool_.segment_entry(segments_[at]);
      if (entry.first_event >= search_.bounds.to) break;
      search_.needed = std::move(start.needed[at]);
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
  void take_segment(const spool::SegmentReader& segment) {
    const spool::SegmentHead& head = segment.head();
    const SegmentOffer offer = offer_of(head);
    const ChosenScheme chosen = choose_scheme(scheme_, offer);
    enter_frames_of(head.facts.entry);
    frames_are_lost_ = false;
    bool holds_any = false;
    for (const FunctionId function : head.facts.functions) {
      const std::uint32_t paths = search_.paths_of(function);
      if (paths == FrameStates::kNobody) continue;
      search_.ran[paths] = true;
      holds_any = true;
    }
    if (!holds_any && may_skip()) {
      ++search_.cost.segments_skipped;
      for (const spool::ChunkFacts& chunk : head.facts.chunks) {
        search_.frames.replace_from(chunk.kept_below(), chunk.opened.size());
      }
      return;
    }
    ++search_.cost.segments;
    ++search_.cost.segments_by_scheme[static_cast<std::size_t>(chosen.scheme)];
    note({chosen.scheme, chosen.reason, 1, offer.chunks, offer.chunks_wanted},
         search_.cost.choices);
    search_.use_index = chosen.uses_index();
    if (const auto* chunks = dynamic_cast<const spool::ChunksReader*>(&segment)) {
      chunks_.search(*chunks, spool_.unpacked_chunks(), search_);
    } else if (const auto* grammar = dynamic_cast<const spool::GrammarSegmentReader*>(&segment)) {
      search_grammar(*grammar, search_);
    }
  }

  [[nodiscard]] bool may_skip() const {
    return scheme_ != Scheme::chunks && scheme_ != Scheme::grammar;
  }

  [[nodiscard]] SegmentOffer offer_of(const spool::SegmentHead& head) const {
    const std::vector<bool> wanted = chunks_of_interest(head.facts, search_.functions);
    return {head.form, head.facts.index.has_value(), wanted.size(),
            static_cast<std::uint64_t>(std::ranges::count(wanted, true))};
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

void note(const SchemeChoice& choice, std::vector<SchemeChoice>& choices) {
  const auto at = std::ranges::find_if(choices, [&choice](const SchemeChoice& other) {
    return other.scheme == choice.scheme && other.reason == choice.reason;
  });
  if (at == choices.end()) {
    choices.push_back(choice);
    return;
  }
  at->segments += choice.segments;
  at->chunks += choice.chunks;
  at->chunks_wanted += choice.chunks_wanted;
}

void search_stream(const Spool::Impl& spool, StreamId stream, Scheme scheme, ChunkSearcher& chunks,
                   Search& search) {
  StreamSearch(spool, stream, scheme, chunks, search).run();
}

}  // namespace pathspool::match
