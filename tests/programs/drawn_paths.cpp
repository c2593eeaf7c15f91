// Asks a recording for paths that are drawn from it, by every scheme and in several ways to pack
// it, and holds the answers against those of the obvious matcher.
//
//   drawn_paths FILE.spool [PATHS [SEED]]
//
// Prints `ok N paths, M occur` and exits with 0, or the first answer that is wrong and exits with
// 1; 2 if the file cannot be read.
#include "differential/drawn_paths.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "pathspool/pack.h"
#include "support/scratch.h"

namespace pathspool::testing {
namespace {

// Of a path that occurs more often all positions are not asked for, but for a few.
constexpr std::uint64_t kManyPositions = 30'000;
constexpr std::size_t kLongAnswers = 2;

struct WrongAnswer {
  std::string what;
};

struct Drawn {
  std::vector<Path> paths;
  std::vector<std::vector<Position>> expected;  // by path
  std::size_t short_answers = 0;                // the first so many, of kManyPositions at most
};

std::vector<Event> events_of(const Spool& spool, StreamId stream) {
  std::vector<Event> events;
  EventCursor cursor = spool.events(stream);
  while (cursor.next()) events.insert(events.end(), cursor.batch().begin(), cursor.batch().end());
  return events;
}

// Paths with few positions first.
void sort_by_length(Drawn& drawn) {
  Drawn sorted;
  for (const bool is_short : {true, false}) {
    for (std::size_t i = 0; i < drawn.paths.size(); ++i) {
      if ((drawn.expected[i].size() <= kManyPositions) != is_short) continue;
      sorted.paths.push_back(drawn.paths[i]);
      sorted.expected.push_back(std::move(drawn.expected[i]));
    }
    if (is_short) sorted.short_answers = sorted.paths.size();
  }
  drawn = std::move(sorted);
}

Drawn draw(const Spool& spool, std::size_t count, PathDrawer& drawer) {
  Drawn drawn;
  for (const StreamInfo& stream : spool.streams()) drawer.watch(events_of(spool, stream.id));
  while (drawer.has_any() && drawn.paths.size() < count) drawn.paths.push_back(drawer.draw());
  drawn.expected.resize(drawn.paths.size());
  for (const StreamInfo& stream : spool.streams()) {
    const auto found = reference_matches_of_all(events_of(spool, stream.id), drawn.paths);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uint64_t index : found[i]) {
        drawn.expected[i].push_back({stream.id, index});
      }
    }
  }
  sort_by_length(drawn);
  return drawn;
}

// One way to pack a recording, and what can be asked of it then.
struct Way {
  const char* name;
  Form form;
  std::uint64_t chunk_bytes;
  unsigned segments;  // of each stream
  std::vector<Scheme> schemes;
};

const Way kWays[] = {
    {"small chunks", Form::chunks, 5000, 1, {Scheme::chunks, Scheme::indexed_chunks}},
    {"large chunks", Form::chunks, 300'000, 3, {Scheme::chunks, Scheme::indexed_chunks}},
    {"a grammar", Form::grammar, 0, 1, {Scheme::grammar, Scheme::indexed_grammar}},
    {"grammars", Form::grammar, 0, 3, {Scheme::automatic}},
};

void pack_as(const Way& way, const Spool& spool, const std::filesystem::path& path) {
  PackOptions options;
  options.form = way.form;
  if (way.chunk_bytes > 0) options.chunk_bytes = way.chunk_bytes;
  SpoolWriter writer(path, options);
  for (std::uint32_t id = 0; id < spool.functions().size(); ++id) {
    writer.functions().add(spool.functions()[FunctionId{id}]);
  }
  for (const StreamInfo& stream : spool.streams()) {
    const std::vector<Event> events = events_of(spool, stream.id);
    const std::size_t step = events.size() / way.segments + 1;
    for (std::size_t at = 0; at < events.size(); at += step) {
      writer.append(stream.id, std::span(events).subspan(at, std::min(step, events.size() - at)));
      writer.cut(stream.id);
    }
  }
  writer.finish();
}

std::string shown(const FunctionTable& functions, const Path& path) {
  std::string text = functions.readable_name(path.function) + ":";
  for (const std::vector<BlockId>& step : path.steps) {
    std::string separator = " ";
    for (const BlockId block : step) {
      text += separator + "B" + std::to_string(static_cast<std::uint32_t>(block));
      separator = "|";
    }
  }
  return text;
}

// All that is asked of one spool by one scheme.
class Asker {
 public:
  Asker(const Spool& spool, std::string how, Scheme scheme, const Drawn& drawn)
      : spool_(spool), how_(std::move(how)), drawn_(drawn) {
    options_.scheme = scheme;
  }

  // Each path as a query of its own, but many at once.
  void ask(PathDrawer& drawer) {
    const std::size_t count = drawn_.paths.size();
    for (const Wish wish : {Wish::first, Wish::count}) ask_together(wish, 0, count);
    ask_together(Wish::all, 0, drawn_.short_answers);
    for (std::size_t i = 0; i < kLongAnswers && drawn_.short_answers + i < count; ++i) {
      ask_together(Wish::all, count - 1 - i, count - i);
    }
    for (int round = 0; round < 3; ++round) ask_within_bounds(drawer);
    for (int round = 0; round < 10; ++round) {
      const std::size_t one = drawer.below(count);
      ask_together(round % 2 == 0 ? Wish::first : Wish::count, one, one + 1);
    }
  }

 private:
  void ask_together(Wish wish, std::size_t begin, std::size_t end) {
    options_.wish = wish;
    std::vector<Query> queries;
    for (std::size_t i = begin; i < end; ++i) queries.push_back({{drawn_.paths[i]}, ""});
    const FindResult result = find(spool_, queries, options_);
    for (std::size_t i = begin; i < end; ++i) {
      const QueryAnswer& answer = result.answers[i - begin];
      const std::span<const Position> expected = expected_of(i);
      expect(i, answer.found == !expected.empty(), "whether it occurs");
      if (wish == Wish::count) expect(i, answer.count == expected.size(), "the count");
      if (wish == Wish::first && answer.found) {
        expect(i, answer.first == expected.front(), "the first");
      }
      if (wish == Wish::all) {
        expect(i, std::ranges::equal(answer.positions, expected), "the positions");
      }
    }
  }

  void ask_within_bounds(PathDrawer& drawer) {
    const StreamInfo& stream = spool_.streams()[drawer.below(spool_.streams().size())];
    if (stream.events == 0) return;
    const std::uint64_t from = drawer.below(stream.events);
    const std::uint64_t most = drawer.below(2) == 0 ? stream.events - from : 5000;
    options_.from = Position{stream.id, from};
    options_.to = Position{stream.id, from + 1 + drawer.below(most)};
    ask_together(Wish::count, 0, drawn_.paths.size());
    const std::size_t one = drawer.below(drawn_.paths.size());
    ask_together(Wish::all, one, one + 1);
    options_.from.reset();
    options_.to.reset();
  }

  [[nodiscard]] std::span<const Position> expected_of(std::size_t path) const {
    const std::vector<Position>& all = drawn_.expected[path];
    const auto place = [&all](const std::optional<Position>& bound, std::size_t otherwise) {
      return bound ? static_cast<std::size_t>(std::ranges::lower_bound(all, *bound) - all.begin())
                   : otherwise;
    };
    const std::size_t begin = place(options_.from, 0);
    return std::span(all).subspan(begin, place(options_.to, all.size()) - begin);
  }

  void expect(std::size_t path, bool is_right, const std::string& what) const {
    if (is_right) return;
    std::string bounds;
    if (options_.from) {
      bounds = " from " + std::to_string(options_.from->index) + " to " +
               std::to_string(options_.to->index);
    }
    throw WrongAnswer{how_ + ", scheme " + std::to_string(static_cast<int>(options_.scheme)) +
                      bounds + ": " + what + " of '" +
                      shown(spool_.functions(), drawn_.paths[path]) + "' is wrong"};
  }

  const Spool& spool_;
  std::string how_;
  const Drawn& drawn_;
  FindOptions options_;
};

int run(const char* file, std::size_t count, std::uint64_t seed) {
  const Spool recording = Spool::open(file);
  PathDrawer drawer(seed);
  const Drawn drawn = draw(recording, count, drawer);
  if (drawn.paths.empty()) {
    std::puts("ok 0 paths: no function ran");
    return 0;
  }
  const Scratch scratch;
  for (const Way& way : kWays) {
    pack_as(way, recording, scratch.file("a"));
    const Spool spool = Spool::open(scratch.file("a"));
    for (const Scheme scheme : way.schemes) Asker(spool, way.name, scheme, drawn).ask(drawer);
  }
  Asker(recording, "as it is", Scheme::automatic, drawn).ask(drawer);
  const auto absent = std::ranges::count(drawn.expected, true, &std::vector<Position>::empty);
  std::printf("ok %zu paths, %zu occur\n", drawn.paths.size(),
              drawn.paths.size() - static_cast<std::size_t>(absent));
  return 0;
}

}  // namespace
}  // namespace pathspool::testing

int main(int count, char** arguments) {
  if (count < 2 || count > 4) {
    std::fputs("usage: drawn_paths FILE.spool [PATHS [SEED]]\n", stderr);
    return 2;
  }
  try {
    return pathspool::testing::run(arguments[1],
                                   count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 300,
                                   count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1);
  } catch (const pathspool::testing::WrongAnswer& wrong) {
    std::printf("%s\n", wrong.what.c_str());
    return 1;
  } catch (const pathspool::Error& error) {
    std::fprintf(stderr, "drawn_paths: %s: %s\n", arguments[1], error.what());
    return 2;
  }
}
