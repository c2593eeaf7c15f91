#include "match/grammar_search.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "match/grammar_walk.h"
#include "match/summary_states.h"
#include "pathspool/error.h"

namespace pathspool::match {
namespace {

class SegmentSearch {
 public:
  SegmentSearch(const spool::GrammarSegmentReader& segment, Search& search)
      : segment_(segment),
        facts_(segment.head().facts),
        search_(search),
        states_(search.functions),
        wanted_(wanted_chunks()) {}

  void run() {
    std::uint64_t position = segment_.head().first_event;
    for (std::size_t chunk = 0; chunk < wanted_.size(); ++chunk) {
      if (search_.done() || position >= search_.bounds.to) break;
      if (!wanted_[chunk]) {
        skip(chunk);
      } else if (search_.needed.empty() || search_.needed[chunk]) {
        pass(chunk, position);
      } else {
        ++search_.cost.chunks_skipped;
        forget(facts_.chunks[chunk]);
      }
      position += facts_.chunks[chunk].events;
      if (search_.progress) search_.progress(position);
    }
    if (walk_) search_.cost.rules += segment_.rules().rules_unpacked() - rules_before_;
  }

 private:
  [[nodiscard]] std::vector<bool> wanted_chunks() const {
    const bool by_index = search_.use_index && facts_.index.has_value();
    std::vector<bool> wanted(facts_.chunks.size(), !by_index);
    if (!by_index) return wanted;
    for (const FunctionPaths& paths : search_.functions) {
      for (const spool::ChunkRun& run : facts_.index->runs_of(paths.function)) {
        for (std::size_t chunk = run.first; chunk <= run.last; ++chunk) wanted[chunk] = true;
      }
    }
    return wanted;
  }

  void pass(std::size_t chunk, std::uint64_t position) {
    const spool::ChunkFacts& facts = facts_.chunks[chunk];
    ++search_.cost.chunks;
    try {
      const std::span<const grammar::Symbol> symbols = segment_.kept_chunk(chunk);
      open_walk();
      walk_->set_frames(search_.frames.known());
      walk_->run(symbols, position, facts.events, facts.exit_depth - facts.entry_depth);
      search_.frames = FrameStates(facts.exit_depth, walk_->frames());
    } catch (const Error& error) {
      search_.unsearched.push_back(
          {position, position + facts.events, error.what(), error.offset_bytes()});
      forget(facts);
    }
  }

  void skip(std::size_t chunk) {
    const spool::ChunkFacts& facts = facts_.chunks[chunk];
    ++search_.cost.chunks_skipped;
    search_.frames.replace_from(facts.kept_below(), facts.opened.size());
  }

  // After a chunk that could not be read, or need not be, the frames are as its facts say, and no
  // block that it may have run in them counts.
  void forget(const spool::ChunkFacts& facts) {
    std::vector<FrameStates::Frame> opened;
    for (const FunctionId function : facts.opened) {
      opened.push_back(states_.frame(states_.entered(function)));
    }
    search_.frames.replace_from(facts.kept_below(), opened);
    for (FrameStates::Frame& frame : search_.frames.from_level(facts.kept_below() - 1)) {
      frame.state = PathAutomaton::kStart;
    }
  }

  void open_walk() {
    if (walk_) return;
    rules_before_ = segment_.rules().rules_unpacked();
    walk_.emplace(segment_.rules(), segment_.phrases(), *segment_.info().symbols, states_, search_);
  }

  const spool::GrammarSegmentReader& segment_;
  const spool::SegmentFacts& facts_;
  Search& search_;
  SummaryStates states_;
  std::vector<bool> wanted_;  // by chunk
  std::optional<GrammarWalk> walk_;
  std::uint64_t rules_before_ = 0;
};

}  // namespace

void search_grammar(const spool::GrammarSegmentReader& segment, Search& search) {
  SegmentSearch(segment, search).run();
}

}  // namespace pathspool::match
