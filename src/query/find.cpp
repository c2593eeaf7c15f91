#include "pathspool/find.h"

#include <fmt/format.h>

#include <algorithm>

#include "match/stream_search.h"
#include "pathspool/error.h"
#include "spool/spool_impl.h"

namespace pathspool {
namespace {

// A search's tables have fewer than 2^32 entries together.
constexpr std::uint64_t kMostTableBytes = std::uint64_t{1} << 32;

// The part of a stream that is searched; empty if `from` is not below `to`.
match::Bounds bounds_in(StreamId stream, const FindOptions& options) {
  match::Bounds bounds;
  if (options.from && stream <= options.from->stream) {
    bounds.from = stream == options.from->stream ? options.from->index : Spool::kToTheEnd;
  }
  if (options.to && stream >= options.to->stream) {
    bounds.to = stream == options.to->stream ? options.to->index : 0;
  }
  return bounds;
}

// Of all functions together; a scan takes as much again.
std::uint64_t table_bytes(std::span<const match::FunctionPaths> functions) {
  std::uint64_t entries = 0;
  for (const match::FunctionPaths& paths : functions) entries += paths.automaton.table().size();
  return 2 * entries * sizeof(match::PathAutomaton::State);
}

// Queries that are answered in one pass.
struct Batch {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

class Finder {
 public:
  Finder(const Spool& spool, std::span<const Query> queries, const FindOptions& options)
      : spool_(spool), queries_(queries), options_(options), batch_{0, queries.size()} {
    result_.answers.resize(queries.size());
    result_.cost.opening_bytes = spool.impl().file().bytes_read();
  }

  FindResult run() {
    if (options_.scheme == Scheme::columns) throw Error("this version does not have scheme 5");
    for (const StreamInfo& stream : spool_.streams()) {
      total_ += is_chosen(stream) ? stream.events : 0;
    }
    for (; batch_.size() > 0; batch_ = {batch_.end, queries_.size()}) run_batch();
    result_.cost.bytes_read = spool_.impl().file().bytes_read() - result_.cost.opening_bytes;
    result_.cost.kept_bytes = spool_.impl().unpacked_chunks().memory_bytes();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_chosen(const StreamInfo& stream) const {
    const match::Bounds bounds = bounds_in(stream.id, options_);
    return (!options_.stream || *options_.stream == stream.id) && bounds.from < bounds.to;
  }

  // The queries from batch_.begin on, as many as are possible together.
  void run_batch() {
    make_automata();
    if (functions_.empty()) return;
    ++result_.cost.passes;
    spool_.impl().unpacked_chunks().begin_search(options_.memory_bytes);
    done_ = 0;
    for (const StreamInfo& stream : spool_.streams()) {
      if (!is_chosen(stream)) continue;
      leave_out_the_answered();
      if (functions_.empty()) break;
      search(stream);
      done_ += stream.events;
    }
  }

  // Too many are halved, until their tables are small enough.
  void make_automata() {
    const std::uint64_t most_bytes = std::min(options_.memory_bytes / 4, kMostTableBytes);
    while (true) {
      const bool is_single = batch_.size() == 1;
      try {
        take_functions();
        if (is_single || table_bytes(functions_) <= most_bytes) return;
      } catch (const Error&) {
        if (is_single) throw;
      }
      batch_.end = batch_.begin + (batch_.size() + 1) / 2;
    }
  }

  void take_functions() {
    std::vector<match::PathQuery> paths;
    answered_ = 0;
    for (std::size_t i = batch_.begin; i < batch_.end; ++i) {
      if (one_is_enough() && result_.answers[i].found) {
        ++answered_;
        continue;
      }
      const auto number = static_cast<std::uint32_t>(i);
      for (const Path& path : queries_[i].paths) {
        paths.push_back({number, path.function, path.steps});
      }
    }
    chunks_.reset();
    functions_ = match::paths_by_function(paths);
  }

  // What has its first occurrence in one stream is not asked of the later ones.
  void leave_out_the_answered() {
    const auto answered = std::ranges::count(
        std::span(result_.answers).subspan(batch_.begin, batch_.size()), true, &QueryAnswer::found);
    if (one_is_enough() && static_cast<std::size_t>(answered) != answered_) take_functions();
    if (!chunks_) chunks_.emplace(functions_, spool_.functions().size());
  }

  [[nodiscard]] bool one_is_enough() const {
    return options_.wish == Wish::exists || options_.wish == Wish::first;
  }

  void search(const StreamInfo& stream) {
    match::Search search(functions_, queries_.size(), options_.wish);
    search.bounds = bounds_in(stream.id, options_);
    const std::uint64_t tables = table_bytes(functions_);
    search.memory_bytes = options_.memory_bytes - std::min(options_.memory_bytes / 4 * 3, tables);
    search.keep_unpacked = options_.keep_unpacked || batch_.size() < queries_.size();
    if (options_.progress) search.progress = [this](std::uint64_t index) { tell(done_ + index); };
    match::search_stream(spool_.impl(), stream.id, options_.scheme, *chunks_, search);
    take_answers(stream.id, search);
    for (match::Unsearched& lost : search.unsearched) note_unsearched(stream.id, lost);
    add_cost(search.cost);
  }

  // How far all batches have come, each by its share of the queries.
  void tell(std::uint64_t done) const {
    const auto share = [this](std::size_t queries) {
      return static_cast<double>(queries) / static_cast<double>(queries_.size());
    };
    const double all = share(batch_.begin) * static_cast<double>(total_) +
                       share(batch_.size()) * static_cast<double>(done);
    options_.progress(static_cast<std::uint64_t>(all), total_);
  }

  void take_answers(StreamId stream, const match::Search& search) {
    for (std::size_t i = batch_.begin; i < batch_.end; ++i) {
      const match::Answer& answer = search.answers[i];
      QueryAnswer& whole = result_.answers[i];
      if (answer.first && !whole.first) whole.first = Position{stream, *answer.first};
      whole.count += answer.count;
      for (const std::uint64_t index : answer.positions) whole.positions.push_back({stream, index});
      whole.found = whole.first || whole.count > 0 || !whole.positions.empty();
    }
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (!search.ran[i]) continue;
      for (const std::uint32_t query : functions_[i].queries) result_.answers[query].ran = true;
    }
  }

  // Every batch may meet the same damage.
  void note_unsearched(StreamId stream, match::Unsearched& lost) {
    const bool is_known = std::ranges::any_of(result_.unsearched, [&](const UnsearchedEvents& one) {
      return one.stream == stream && one.from == lost.from && one.to == lost.to;
    });
    if (is_known) return;
    result_.unsearched.push_back(
        {stream, lost.from, lost.to, std::move(lost.what), lost.offset_bytes});
  }

  void add_cost(const match::SearchCost& cost) {
    FindCost& sum = result_.cost;
    for (std::size_t i = 0; i < sum.segments_by_scheme.size(); ++i) {
      sum.segments_by_scheme[i] += cost.segments_by_scheme[i];
    }
    sum.segments += cost.segments;
    sum.segments_skipped += cost.segments_skipped;
    for (const SchemeChoice& choice : cost.choices) match::note(choice, sum.choices);
    sum.chunks += cost.chunks;
    sum.chunks_skipped += cost.chunks_skipped;
    sum.chunks_kept += cost.chunks_kept;
    sum.rules += cost.rules;
    sum.events_scanned += cost.events_scanned;
  }

  const Spool& spool_;
  std::span<const Query> queries_;
  const FindOptions& options_;
  Batch batch_;
  FindResult result_;
  std::vector<match::FunctionPaths> functions_;
  std::optional<match::ChunkSearcher> chunks_;
  std::size_t answered_ = 0;  // of the batch, and so left out of functions_
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

FindResult find(const Spool& spool, std::span<const Query> queries, const FindOptions& options) {
  return Finder(spool, queries, options).run();
}

}  // namespace pathspool
