// What is asked of a recording, and what is answered: shared by all schemes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "match/path_automaton.h"
#include "pathspool/event.h"
#include "pathspool/find.h"
#include "pathspool/spool.h"

namespace pathspool::match {

// Blocks of one function, one after another in one of its frames. A step is any of its blocks: a
// source line may belong to several.
struct PathQuery {
  std::uint32_t number = 0;  // whose answer this is; a name that several functions share asks each
  FunctionId function{};
  PathAutomaton::Steps steps;  // never empty, nor is a step
};

// All that is asked of one function.
struct FunctionPaths {
  FunctionId function{};
  PathAutomaton automaton;
  std::vector<std::uint32_t> queries;  // by the automaton's number of a path: the query's number
};

// One for each function that queries name, by rising id.
[[nodiscard]] std::vector<FunctionPaths> paths_by_function(std::span<const PathQuery> queries);

using pathspool::Wish;

// Which occurrences count: those whose last block has an index in [from, to). They may begin
// before.
struct Bounds {
  std::uint64_t from = 0;
  std::uint64_t to = Spool::kToTheEnd;
};

// To one query, of one stream. Only what was wished for is filled in.
struct Answer {
  std::optional<std::uint64_t> first;    // exists and first: the lowest index (exists: any)
  std::uint64_t count = 0;               // count
  std::vector<std::uint64_t> positions;  // all: rising
};

// What a search did, for --explain and for tests that it did no more.
struct SearchCost {
  std::array<std::uint64_t, 6> segments_by_scheme{};  // looked into, by the scheme's number
  std::uint64_t segments = 0;                         // looked into
  std::uint64_t segments_skipped = 0;                 // by their facts alone
  std::vector<SchemeChoice> choices;
  std::uint64_t chunks = 0;  // scanned, or whose part of the start rule was decoded
  std::uint64_t chunks_skipped = 0;
  std::uint64_t chunks_kept = 0;     // of those scanned, from the cache
  std::uint64_t rules = 0;           // whose bodies were decoded
  std::uint64_t bytes_read = 0;      // of the file
  std::uint64_t events_scanned = 0;  // one by one; 0 for schemes 2 and 4
};

// Events that could not be searched, because what holds them is damaged.
struct Unsearched {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // exclusive
  std::string what;
  std::optional<std::uint64_t> offset_bytes;
};

// The known open frames and how far each has come along its function's paths: the state vector of
// the paper's section 4.1, which goes on from segment to segment.
class FrameStates {
 public:
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  struct Frame {
    std::uint32_t paths =
        kNobody;  // which of the search's functions; kNobody: none (the paper's -1)
    PathAutomaton::State state = PathAutomaton::kStart;

    friend bool operator==(const Frame&, const Frame&) = default;
  };

  FrameStates() = default;
  // `known` are the innermost frames, outermost first; their levels end at depth - 1.
  FrameStates(std::int64_t depth, std::vector<Frame> known)
      : known_(std::move(known)), lowest_known_(depth - static_cast<std::int64_t>(known_.size())) {}

  [[nodiscard]] std::int64_t depth() const {
    return lowest_known_ + static_cast<std::int64_t>(known_.size());
  }
  [[nodiscard]] const std::vector<Frame>& known() const { return known_; }
  // The known frames at this level and above.
  [[nodiscard]] std::span<Frame> from_level(std::int64_t level) {
    const std::int64_t below = std::clamp(level, lowest_known_, depth()) - lowest_known_;
    return std::span(known_).subspan(static_cast<std::size_t>(below));
  }

  void enter(Frame frame) { known_.push_back(frame); }
  void exit() {
    if (known_.empty()) {
      --lowest_known_;
    } else {
      known_.pop_back();
    }
  }
  // Closes every frame at this level and above, then opens these.
  void replace_from(std::int64_t level, std::span<const Frame> opened) {
    close_from(level);
    known_.insert(known_.end(), opened.begin(), opened.end());
  }
  // What a skipped chunk does: frames below the lowest exit are kept, the others are nobody's.
  void replace_from(std::int64_t level, std::size_t opened) {
    close_from(level);
    known_.resize(known_.size() + opened);
  }

 private:
  void close_from(std::int64_t level) {
    if (level < lowest_known_) {
      known_.clear();
      lowest_known_ = level;
    } else if (level < depth()) {
      known_.resize(static_cast<std::size_t>(level - lowest_known_));
    }
  }

  std::vector<Frame> known_;
  std::int64_t lowest_known_ = 0;
};

// A search of one stream, which goes through its segments in order. What does not change is set by
// the caller; each segment's engine takes `frames` as they are before the segment, leaves them as
// they are after it, and adds to the rest.
struct Search {
  std::span<const FunctionPaths> functions;  // by rising id
  Wish wish = Wish::first;
  Bounds bounds;
  bool use_index = true;  // schemes 3 and 4; false also if the segment has none
  // By chunk of the segment at hand: whether it matters, which those before the bounds need not; if
  // empty, all do. An engine may look at more.
  std::vector<bool> needed;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  bool keep_unpacked = false;  // chunks, for the next search
  // Called now and then with the index of the next event to be searched; may be empty.
  std::function<void(std::uint64_t)> progress;

  FrameStates frames;
  std::vector<Answer> answers;  // by the query's number
  std::vector<Unsearched> unsearched;
  SearchCost cost;
  std::vector<bool> ran;         // by `functions`: has an event in a segment that was met
  std::uint64_t unanswered = 0;  // exists and first: queries without an answer so far

  // Queries have numbers below `queries`.
  Search(std::span<const FunctionPaths> asked, std::size_t queries, Wish wanted)
      : functions(asked), wish(wanted), answers(queries), ran(asked.size()) {
    std::vector<bool> met(queries);
    for (const FunctionPaths& paths : asked) {
      for (const std::uint32_t query : paths.queries) {
        if (!met[query]) ++unanswered;
        met[query] = true;
      }
    }
  }

  // Which of `functions` this is, FrameStates::kNobody if nothing is asked of it.
  [[nodiscard]] std::uint32_t paths_of(FunctionId function) const {
    const auto at = std::ranges::lower_bound(functions, function, {}, &FunctionPaths::function);
    return at == functions.end() || at->function != function
               ? FrameStates::kNobody
               : static_cast<std::uint32_t>(at - functions.begin());
  }

  // `times` occurrences at one place. Within a stream places must rise for `all`; not for the
  // others. Places out of bounds are left out by the caller.
  void found(std::uint32_t query, std::uint64_t index, std::uint64_t times = 1) {
    Answer& answer = answers[query];
    switch (wish) {
      case Wish::exists:
      case Wish::first:
        if (!answer.first) {
          answer.first = index;
          --unanswered;
        } else if (index < *answer.first) {
          answer.first = index;
        }
        return;
      case Wish::count:
        answer.count += times;
        return;
      case Wish::all:
        answer.positions.push_back(index);
        return;
    }
  }
  // Every query whose path ends in this state of function number `paths`.
  void found_in_state(const FrameStates::Frame& frame, std::uint64_t index) {
    const FunctionPaths& paths = functions[frame.paths];
    for (const std::uint32_t path : paths.automaton.found(frame.state)) {
      found(paths.queries[path], index);
    }
  }
  // Nothing more can be learned from what comes later in the stream.
  [[nodiscard]] bool done() const {
    return (wish == Wish::exists || wish == Wish::first) && unanswered == 0;
  }
};

// The engines: one segment, from its start to its end or until search.done() or the bounds' end.
// `search.frames` hold the segment's known open frames, as its facts name them. Damage that an
// engine can step over it notes in `unsearched`, going on as the facts say; at other damage it
// throws Error, and the caller notes the segment.
//   void ChunkSearcher::search(const spool::ChunksReader&, ChunkCache&, Search&);  chunk_search.h
//   void search_grammar(const spool::GrammarSegmentReader&, Search&);              grammar_search.h
// Schemes 3 and 4 never give an engine a segment that holds nothing of the functions asked for.

}  // namespace pathspool::match
