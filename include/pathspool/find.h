// Asking a recording for paths: which blocks of one function ran one after another in one of its
// frames, whatever it called in between. docs/query.md describes the language.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/function_table.h"
#include "pathspool/spool.h"

namespace pathspool {

// A query as it was written. Nothing is known yet of what it means in a recording.
struct ParsedQuery {
  // A block by its id or, if that is 0, any block of a line.
  struct Step {
    BlockId block{};
    std::uint32_t line = 0;
    std::string file;  // empty if the function's own goes without saying
  };
  std::string function;
  std::vector<Step> steps;  // never empty
};

// `parse: B1 B2 B3`, `parse.c:parse: :120 :131`. Throws Error that says what is wrong with it.
[[nodiscard]] ParsedQuery parse_query(std::string_view text);

// Blocks of one function, one after another. A step is any of its blocks.
struct Path {
  FunctionId function{};
  std::vector<std::vector<BlockId>> steps;  // never empty, nor is a step
};

// What a query means in a recording. Functions that share name and file are taken as one.
struct Query {
  std::vector<Path> paths;  // any of them answers it
  std::string absent;       // if there are none: why nothing can be found
};

// Throws Error if the name is ambiguous, naming the candidates, or if a line is asked for of a
// function whose lines are not known.
[[nodiscard]] Query resolve_query(const FunctionTable& functions, const ParsedQuery& query);

enum class Wish : std::uint8_t { exists, first, count, all };

// The five matching schemes, by number. `automatic` takes what suits each segment.
enum class Scheme : std::uint8_t {
  automatic = 0,
  chunks = 1,           // unpack everything and scan it
  grammar = 2,          // match on the rules of the grammar
  indexed_chunks = 3,   // unpack only chunks that hold blocks of the function
  indexed_grammar = 4,  // only parts of the start rule that can derive such blocks
  columns = 5,
};

struct FindOptions {
  Wish wish = Wish::first;
  Scheme scheme = Scheme::automatic;
  std::optional<StreamId> stream;  // none: all of them
  // Bounds on the last block of an occurrence, which may begin before; `to` is exclusive.
  std::optional<Position> from;
  std::optional<Position> to;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // about so much at most
  // Unpacked chunks stay with the Spool, as far as memory_bytes allows, for its next search.
  bool keep_unpacked = true;
  Progress progress;  // in events
};

// Only what was wished for is filled in.
struct QueryAnswer {
  bool found = false;
  bool ran = false;               // the function has events, in what was looked at
  std::optional<Position> first;  // the lowest; with Wish::exists any
  std::uint64_t count = 0;
  std::vector<Position> positions;  // rising
};

// Events that could not be searched, because what holds them is damaged.
struct UnsearchedEvents {
  StreamId stream{};
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // exclusive
  std::string what;
  std::optional<std::uint64_t> offset_bytes;
};

// Why a segment was searched by its scheme.
enum class SchemeReason : std::uint8_t {
  asked,                   // it was asked for
  no_index,                // so everything has to be looked at
  index_excludes_some,     // chunks, which need not be looked at
  index_excludes_nothing,  // every chunk holds events of a function that is asked for
};

// Segments that were searched by one scheme for one reason.
struct SchemeChoice {
  Scheme scheme{};
  SchemeReason reason{};
  std::uint64_t segments = 0;
  std::uint64_t chunks = 0;         // they have
  std::uint64_t chunks_wanted = 0;  // hold events of the functions asked for, as the index says
};

// What a search did.
struct FindCost {
  std::array<std::uint64_t, 6> segments_by_scheme{};  // looked into, by the scheme's number
  std::uint64_t segments = 0;                         // looked into
  std::uint64_t segments_skipped = 0;
  std::vector<SchemeChoice> choices;  // of those looked into, each kind once
  std::uint64_t passes = 0;           // over the file: more than one if memory was short
  std::uint64_t chunks = 0;           // scanned, or whose part of the start rule was decoded
  std::uint64_t chunks_skipped = 0;
  std::uint64_t chunks_kept = 0;     // of those scanned, how many were still unpacked
  std::uint64_t kept_bytes = 0;      // of unpacked chunks, after the search
  std::uint64_t rules = 0;           // whose bodies were decoded
  std::uint64_t events_scanned = 0;  // one by one; 0 where the grammar is matched
  std::uint64_t bytes_read = 0;      // of the file, by this search
  std::uint64_t opening_bytes = 0;   // of the file, before it
};

struct FindResult {
  std::vector<QueryAnswer> answers;          // as the queries
  std::vector<UnsearchedEvents> unsearched;  // if there are any, absence proves nothing
  FindCost cost;
};

// Answers all queries in one pass over what they need, or in several if their automata would not
// fit into a quarter of the memory. Throws Error if the file does not have the scheme that was
// asked for.
[[nodiscard]] FindResult find(const Spool& spool, std::span<const Query> queries,
                              const FindOptions& options = {});

}  // namespace pathspool
