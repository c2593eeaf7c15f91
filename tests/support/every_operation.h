// Everything that a verb does with a spool, on a file that may be anything.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pathspool/error.h"
#include "pathspool/find.h"
#include "pathspool/spool.h"

namespace pathspool::testing {

// An answer as text, so that answers of files can be compared; none where Error was thrown.
struct Answers {
  std::vector<std::optional<std::string>> answers;
  std::optional<CheckReport> report;
};

namespace detail {

inline void put(std::string& text, std::uint64_t value) { text += std::to_string(value) + ' '; }

inline std::string described(const FunctionTable& functions, FunctionId id) {
  const Function& function = functions[id];
  std::string text = functions.display_name(id) + ' ' + functions.readable_name(id) + ' ';
  text += function.file;
  put(text, function.line);
  for (const Block& block : function.blocks) {
    text += name_of(block.terminator);
    for (const std::uint32_t line : block.lines) put(text, line);
    text += ':';
    for (const BlockId successor : block.successors) {
      put(text, static_cast<std::uint32_t>(successor));
    }
    for (const CallSite& call : block.calls) {
      text += std::string(name_of(call.kind)) + ' ' + call.callee + ' ';
    }
  }
  return text;
}

inline std::string described(const Spool& spool) {
  std::string text;
  const SpoolInfo info = spool.info();
  put(text, info.events);
  put(text, info.functions_listed);
  put(text, info.functions_ran);
  text += info.deepest_level ? std::to_string(*info.deepest_level) : "none";
  for (const StreamInfo& stream : info.streams) {
    put(text, static_cast<std::uint32_t>(stream.id));
    put(text, stream.events);
    text += stream.title;
    put(text, stream.parent ? static_cast<std::uint32_t>(*stream.parent) + 1ULL : 0);
  }
  for (const SegmentInfo& segment : info.segments) {
    put(text, static_cast<std::uint64_t>(segment.form));
    put(text, segment.events);
    put(text, segment.chunks);
    put(text, segment.indexed ? 1 : 0);
  }
  const Metadata& metadata = spool.metadata();
  text += metadata.program + metadata.build_id + metadata.host + metadata.time;
  for (const std::string& argument : metadata.arguments) text += argument + ' ';
  text += metadata.mode;
  for (const Note& note : info.notes) {
    put(text, static_cast<std::uint32_t>(note.position.stream));
    put(text, note.position.index);
    text += std::string(name_of(note.kind)) + note.text;
  }
  for (std::uint32_t id = 0; id < std::min<std::size_t>(spool.functions().size(), 1000); ++id) {
    text += described(spool.functions(), FunctionId{id});
  }
  return text;
}

inline std::string events_text(const Spool& spool, StreamId stream, std::uint64_t from,
                               std::uint64_t most) {
  std::string text;
  EventCursor cursor =
      spool.events(stream, from, most > Spool::kToTheEnd - from ? Spool::kToTheEnd : from + most);
  while (cursor.next()) {
    for (const Event& event : cursor.batch()) {
      text += static_cast<char>('0' + static_cast<unsigned>(event.kind));
      put(text, event.id);
    }
  }
  return text;
}

inline std::string frames_text(const Spool& spool, Position position) {
  std::string text;
  for (const FunctionId function : spool.open_frames(position)) {
    put(text, static_cast<std::uint32_t>(function));
  }
  return text;
}

inline std::string rules_text(const Spool& spool, std::size_t segment) {
  std::string text;
  spool.visit_rules(segment, [&text](std::uint32_t rule, std::span<const RuleItem> body) {
    put(text, rule);
    for (const RuleItem& item : body.first(std::min<std::size_t>(body.size(), 1000))) {
      text += item.is_rule ? 'R' : static_cast<char>('0' + static_cast<unsigned>(item.event.kind));
      put(text, item.is_rule ? item.rule : item.event.id);
    }
  });
  return text;
}

// Three paths of one function, counted and found. What could not be searched is no answer.
inline std::string found_text(const Spool& spool, FunctionId function, std::uint64_t to) {
  std::vector<Query> queries;
  for (const std::vector<std::uint32_t>& blocks :
       {std::vector<std::uint32_t>{1}, {1, 2}, {2, 1, 2}}) {
    Path path{function, {}};
    for (const std::uint32_t block : blocks) path.steps.push_back({BlockId{block}});
    queries.push_back({{path}, ""});
  }
  std::string text;
  for (const Wish wish : {Wish::count, Wish::first}) {
    FindOptions options;
    options.wish = wish;
    if (to != Spool::kToTheEnd) options.to = Position{StreamId{UINT32_MAX}, to};
    const FindResult result = find(spool, queries, options);
    if (!result.unsearched.empty()) throw Error(result.unsearched.front().what);
    for (const QueryAnswer& answer : result.answers) {
      put(text, answer.count);
      if (answer.first) put(text, static_cast<std::uint32_t>(answer.first->stream));
      if (answer.first) put(text, answer.first->index);
    }
  }
  return text;
}

}  // namespace detail

// Reads at most `most_events` from each place: a good file can hold more than anyone can read.
// Throws nothing but what is a bug.
[[nodiscard]] inline Answers every_operation(const std::filesystem::path& path,
                                             std::uint64_t most_events = 100'000) {
  Answers found;
  const auto ask = [&found](const std::function<std::string()>& question) {
    try {
      found.answers.emplace_back(question());
    } catch (const Error&) {
      found.answers.emplace_back();
    }
  };
  try {
    const Spool spool = Spool::open(path);
    ask([&] { return detail::described(spool); });
    const std::size_t streams = std::min<std::size_t>(spool.streams().size(), 8);
    for (const StreamInfo& stream : spool.streams().first(streams)) {
      const std::uint64_t size = stream.events;
      for (const std::uint64_t from :
           {std::uint64_t{0}, size / 2, size - std::min<std::uint64_t>(size, 1)}) {
        ask([&] { return detail::events_text(spool, stream.id, from, most_events); });
        ask([&] { return detail::frames_text(spool, {stream.id, from}); });
      }
      ask([&] { return detail::frames_text(spool, {stream.id, size}); });
    }
    const std::size_t functions = std::min<std::size_t>(spool.functions().size(), 3);
    for (std::uint32_t id = 0; id < functions; ++id) {
      ask([&] { return detail::found_text(spool, FunctionId{id}, Spool::kToTheEnd); });
      ask([&] { return detail::found_text(spool, FunctionId{id}, 3); });
    }
    for (std::size_t segment = 0; segment < 8; ++segment) {
      ask([&] { return detail::rules_text(spool, segment); });
    }
  } catch (const Error&) {
    found.answers.clear();
  }
  try {
    found.report = check(path);
  } catch (const Error&) {
  }
  return found;
}

}  // namespace pathspool::testing
