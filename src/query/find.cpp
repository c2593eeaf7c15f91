#include "pathspool/find.h"

#include <fmt/format.h>

#include <algorithm>

#include "match/stream_search.h"
#include "pathspool/error.h"
#include "spool/spool_impl.h"

namespace pathspool {
namespace {

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

class Finder {
 public:
  Finder(const Spool& spool, std::span<const Query> queries, const FindOptions& options)
      : spool_(spool), queries_(queries), options_(options) {
    result_.answers.resize(queries.size());
    result_.cost.opening_bytes = spool.impl().file().bytes_read();
  }

  FindResult run() {
    if (options_.scheme == Scheme::columns) throw Error("this version does not have scheme 5");
    for (const StreamInfo& stream : spool_.streams())
      total_ += is_chosen(stream) ? stream.events : 0;
    for (const StreamInfo& stream : spool_.streams()) {
      if (!is_chosen(stream)) continue;
      ask_the_unanswered();
      if (functions_.empty()) break;
      search(stream);
      done_ += stream.events;
    }
    result_.cost.bytes_read = spool_.impl().file().bytes_read() - result_.cost.opening_bytes;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_chosen(const StreamInfo& stream) const {
    const match::Bounds bounds = bounds_in(stream.id, options_);
    return (!options_.stream || *options_.stream == stream.id) && bounds.from < bounds.to;
  }

  // What has its first occurrence in one stream is not asked of the later ones.
  void ask_the_unanswered() {
    const bool one_is_enough = options_.wish == Wish::exists || options_.wish == Wish::first;
    const auto answered = static_cast<std::size_t>(
        one_is_enough ? std::ranges::count(result_.answers, true, &QueryAnswer::found) : 0);
    if (chunks_ && answered == answered_) return;
    answered_ = answered;
    std::vector<match::PathQuery> paths;
    for (std::uint32_t i = 0; i < queries_.size(); ++i) {
      if (one_is_enough && result_.answers[i].found) continue;
      for (const Path& path : queries_[i].paths) paths.push_back({i, path.function, path.steps});
    }
    chunks_.reset();
    functions_ = match::paths_by_function(paths);
    chunks_.emplace(functions_, spool_.functions().size());
  }

  void search(const StreamInfo& stream) {
    match::Search search(functions_, queries_.size(), options_.wish);
    search.bounds = bounds_in(stream.id, options_);
    search.memory_bytes = options_.memory_bytes;
    if (options_.progress) {
      search.progress = [this](std::uint64_t index) { options_.progress(done_ + index, total_); };
    }
    match::search_stream(spool_.impl(), stream.id, options_.scheme, *chunks_, search);
    take_answers(stream.id, search);
    for (match::Unsearched& lost : search.unsearched) {
      result_.unsearched.push_back(
          {stream.id, lost.from, lost.to, std::move(lost.what), lost.offset_bytes});
    }
    add_cost(search.cost);
  }

  void take_answers(StreamId stream, const match::Search& search) {
    for (std::size_t i = 0; i < queries_.size(); ++i) {
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

  void add_cost(const match::SearchCost& cost) {
    FindCost& sum = result_.cost;
    for (std::size_t i = 0; i < sum.segments_by_scheme.size(); ++i) {
      sum.segments_by_scheme[i] += cost.segments_by_scheme[i];
    }
    sum.segments += cost.segments;
    sum.segments_skipped += cost.segments_skipped;
    sum.chunks += cost.chunks;
    sum.chunks_skipped += cost.chunks_skipped;
    sum.rules += cost.rules;
    sum.events_scanned += cost.events_scanned;
  }

  const Spool& spool_;
  std::span<const Query> queries_;
  const FindOptions& options_;
  FindResult result_;
  std::vector<match::FunctionPaths> functions_;
  std::optional<match::ChunkSearcher> chunks_;
  std::size_t answered_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

FindResult find(const Spool& spool, std::span<const Query> queries, const FindOptions& options) {
  return Finder(spool, queries, options).run();
}

}  // namespace pathspool
