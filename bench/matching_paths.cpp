#include "matching_paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "pathspool/error.h"
#include "spool/spool_impl.h"

namespace pathspool::bench {
namespace {

constexpr std::size_t kLengths = kLongestPath - kShortestPath + 1;

// What is taken for about half of all chunks and for nearly all of them. The paper's own types
// reach from 15% to 69% and from 78% to 100%.
constexpr double kAboutHalf = 0.25;  // away from half
constexpr double kNearlyAll = 0.75;

struct FunctionUse {
  std::uint64_t events = 0;                       // its enters, and the blocks of its frames
  std::array<std::uint64_t, kLengths> windows{};  // runs of so many blocks in one frame
};

// Runs of `length` blocks that end within a frame's first `blocks`.
std::uint64_t windows_in(std::uint64_t blocks, std::size_t length) {
  return blocks < length ? 0 : blocks - length + 1;
}

StreamId only_stream(const Spool& spool) {
  if (spool.streams().size() != 1) throw Error("the recording has more than one stream");
  return spool.streams().front().id;
}

std::vector<FunctionUse> uses_of(const Spool& spool) {
  struct Frame {
    std::uint32_t function = 0;
    std::uint64_t blocks = 0;
  };
  std::vector<FunctionUse> uses(spool.functions().size());
  std::vector<Frame> frames;
  const auto close = [&] {
    const Frame frame = frames.back();
    frames.pop_back();
    FunctionUse& use = uses[frame.function];
    use.events += frame.blocks + 1;
    for (std::size_t i = 0; i < kLengths; ++i) {
      use.windows[i] += windows_in(frame.blocks, kShortestPath + i);
    }
  };
  EventCursor cursor = spool.events(only_stream(spool));
  while (cursor.next()) {
    for (const Event& event : cursor.batch()) {
      if (event.kind == EventKind::enter) frames.push_back({event.id});
      if (frames.empty()) continue;
      if (event.kind == EventKind::block) ++frames.back().blocks;
      if (event.kind == EventKind::exit) close();
    }
  }
  while (!frames.empty()) close();
  return uses;
}

struct Candidate {
  FunctionId function{};
  const FunctionUse* use = nullptr;
  Coverage in_chunks;
  Coverage in_grammar;
};

double distance_from_half(const Candidate& candidate) {
  return std::max(std::abs(candidate.in_chunks.share() - 0.5),
                  std::abs(candidate.in_grammar.share() - 0.5));
}

class Chooser {
 public:
  explicit Chooser(std::vector<Candidate> candidates) : left_(std::move(candidates)) {}

  // The hottest function.
  std::optional<PathType> type_3() {
    return take(
        3, [](const Candidate& c) { return -static_cast<double>(c.use->events); },
        [](const Candidate& c) {
          return std::min(c.in_grammar.share(), c.in_chunks.share()) >= kNearlyAll;
        });
  }
  // In one chunk of the start rule, in few of the others; of those the one with most to search.
  std::optional<PathType> type_1() {
    return take(
        1,
        [](const Candidate& c) {
          return static_cast<double>(c.in_grammar.chunks + c.in_chunks.chunks) -
                 static_cast<double>(c.use->events) / 1e12;
        },
        [](const Candidate& c) { return c.in_grammar.chunks == 1 && c.in_chunks.chunks <= 2; });
  }
  std::optional<PathType> type_2() {
    return take(2, distance_from_half,
                [](const Candidate& c) { return distance_from_half(c) <= kAboutHalf; });
  }

 private:
  std::optional<PathType> take(unsigned number, const std::function<double(const Candidate&)>& far,
                               const std::function<bool(const Candidate&)>& is_of_it) {
    const auto nearest = std::ranges::min_element(left_, {}, far);
    if (nearest == left_.end()) return std::nullopt;
    const Candidate one = *nearest;
    left_.erase(nearest);
    return PathType{
        number, is_of_it(one), one.function, one.use->events, one.in_chunks, one.in_grammar, {}};
  }

  std::vector<Candidate> left_;
};

// The `at`-th run of `length` blocks of the function, in the order of their last blocks.
struct Draw {
  std::size_t length = 0;
  std::uint64_t at = 0;
  std::vector<BlockId> blocks;  // found later
};

std::vector<Draw> draws_from(const FunctionUse& use, std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < kLengths; ++i) {
    if (use.windows[i] > 0) lengths.push_back(i);
  }
  std::vector<Draw> draws;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = lengths[random() % lengths.size()];
    draws.push_back({kShortestPath + length, random() % use.windows[length], {}});
  }
  return draws;
}

// Finds the blocks of what was drawn from one function, in one pass over the events.
class Sampler {
 public:
  Sampler(FunctionId function, std::vector<Draw>& draws) : function_(function) {
    for (Draw& draw : draws) wanted_[draw.length - kShortestPath].push_back(&draw);
    for (std::vector<Draw*>& draws_of_length : wanted_) {
      std::ranges::sort(draws_of_length, {}, &Draw::at);
    }
  }

  void take(const Event& event) {
    if (event.kind == EventKind::enter) {
      frames_.push_back({event.function() == function_, {}, 0});
    } else if (frames_.empty()) {
      return;
    } else if (event.kind == EventKind::exit) {
      frames_.pop_back();
    } else if (frames_.back().is_asked) {
      take_block(event.block_id());
    }
  }

 private:
  struct Frame {
    bool is_asked = false;
    std::array<BlockId, kLongestPath> latest{};  // a ring
    std::uint64_t blocks = 0;
  };

  void take_block(BlockId block) {
    Frame& frame = frames_.back();
    frame.latest[frame.blocks % kLongestPath] = block;
    ++frame.blocks;
    for (std::size_t i = 0; i < kLengths && kShortestPath + i <= frame.blocks; ++i) {
      const std::uint64_t window = met_[i]++;
      for (; next_[i] < wanted_[i].size() && wanted_[i][next_[i]]->at == window; ++next_[i]) {
        Draw& draw = *wanted_[i][next_[i]];
        for (std::uint64_t at = frame.blocks - draw.length; at < frame.blocks; ++at) {
          draw.blocks.push_back(frame.latest[at % kLongestPath]);
        }
      }
    }
  }

  FunctionId function_;
  std::vector<Frame> frames_;
  std::array<std::vector<Draw*>, kLengths> wanted_;
  std::array<std::size_t, kLengths> next_{};
  std::array<std::uint64_t, kLengths> met_{};
};

// The path with one block made another: where the graph is known one that may come there, which is
// what an engineer would ask for.
std::vector<BlockId> changed(const Function& function, std::vector<BlockId> path,
                             std::mt19937_64& random) {
  const std::size_t at = 1 + random() % (path.size() - 1);
  const Block* const before = function.block(path[at - 1]);
  if (before != nullptr && before->successors.size() > 1 && random() % 2 == 0) {
    path[at] = before->successors[random() % before->successors.size()];
  } else {
    std::swap(path[at], path[random() % path.size()]);
  }
  return path;
}

void add_absent(const Spool& spool, PathType& type, std::size_t count) {
  constexpr std::size_t kTries = 200;
  std::mt19937_64 random(100 + type.number);
  std::set<std::vector<BlockId>> met;
  std::vector<std::vector<BlockId>> tried;
  std::vector<Query> queries;
  const std::size_t present = type.paths.size();
  for (std::size_t i = 0; i < kTries && present > 0; ++i) {
    std::vector<BlockId> path =
        changed(spool.functions()[type.function], type.paths[i % present].blocks, random);
    if (!met.insert(path).second) continue;
    queries.push_back(query_for(type.function, path));
    tried.push_back(std::move(path));
  }
  FindOptions options;
  options.wish = Wish::count;
  const FindResult result = find(spool, queries, options);
  for (std::size_t i = 0; i < tried.size() && type.paths.size() < present + count; ++i) {
    if (!result.answers[i].found) type.paths.push_back({std::move(tried[i]), false});
  }
}

}  // namespace

Coverage coverage_of(const Spool& spool, FunctionId function) {
  Coverage coverage;
  for (std::size_t i = 0; i < spool.impl().segment_count(); ++i) {
    const auto segment = spool.impl().segment(i);
    const spool::SegmentFacts& facts = segment->head().facts;
    if (!facts.index) throw Error("the spool has no index");
    coverage.all += facts.chunks.size();
    for (const spool::ChunkRun& run : facts.index->runs_of(function)) {
      coverage.chunks += run.last - run.first + 1;
    }
  }
  return coverage;
}

Query query_for(FunctionId function, const std::vector<BlockId>& blocks) {
  Path path{function, {}};
  for (const BlockId block : blocks) path.steps.push_back({block});
  return {{path}, {}};
}

std::vector<PathType> choose_paths(const Spool& chunks, const Spool& grammar, std::size_t present,
                                   std::size_t absent) {
  const std::vector<FunctionUse> uses = uses_of(chunks);
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < uses.size(); ++i) {
    if (uses[i].windows[0] == 0) continue;
    const FunctionId function{i};
    candidates.push_back(
        {function, &uses[i], coverage_of(chunks, function), coverage_of(grammar, function)});
  }
  Chooser chooser(std::move(candidates));
  std::vector<PathType> types;
  // The first ones to choose are those of which there are fewest.
  for (auto type : {chooser.type_3(), chooser.type_1(), chooser.type_2()}) {
    if (type) types.push_back(std::move(*type));
  }
  std::ranges::sort(types, {}, &PathType::number);

  constexpr std::size_t kDraws = 64;
  std::vector<std::vector<Draw>> draws;
  for (const PathType& type : types) {
    draws.push_back(draws_from(uses[static_cast<std::size_t>(type.function)], type.number, kDraws));
  }
  std::vector<Sampler> samplers;
  for (std::size_t i = 0; i < types.size(); ++i) samplers.emplace_back(types[i].function, draws[i]);
  EventCursor cursor = chunks.events(only_stream(chunks));
  while (cursor.next()) {
    for (Sampler& sampler : samplers) {
      for (const Event& event : cursor.batch()) sampler.take(event);
    }
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::set<std::vector<BlockId>> met;
    for (Draw& draw : draws[i]) {
      if (types[i].paths.size() == present || !met.insert(draw.blocks).second) continue;
      types[i].paths.push_back({std::move(draw.blocks), true});
    }
    add_absent(grammar, types[i], absent);
  }
  return types;
}

}  // namespace pathspool::bench
