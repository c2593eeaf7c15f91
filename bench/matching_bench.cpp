// What path matching costs on one recording, for bench/matching, which makes the recordings and the
// tables. Prints JSON.
#include <fmt/core.h>
#include <xxhash.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "matching_paths.h"
#include "matching_times.h"
#include "pathspool/error.h"
#include "stopwatch.h"

namespace pathspool::bench {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::filesystem::path spool;
  std::filesystem::path symbols;
  MatchingFiles files;
  std::size_t present = 5;
  std::size_t absent = 2;
  unsigned repeats = 3;
};

// The trace as other tools would keep it: exit is 0, a block its id, an enter the function's id
// plus one more than the largest block id.
template <typename Symbol>
std::string write_symbols(const Spool& spool, std::uint32_t largest_block,
                          const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  XXH3_state_t* const digest = XXH3_createState();
  XXH3_128bits_reset(digest);
  std::vector<Symbol> symbols;
  EventCursor cursor = spool.events(spool.streams().front().id);
  while (cursor.next()) {
    symbols.clear();
    for (const Event& event : cursor.batch()) {
      const std::uint32_t above = event.kind == EventKind::enter ? largest_block + 1 : 0;
      symbols.push_back(static_cast<Symbol>(event.id + above));
    }
    const std::size_t bytes = symbols.size() * sizeof(Symbol);
    file.write(reinterpret_cast<const char*>(symbols.data()), static_cast<std::streamsize>(bytes));
    XXH3_128bits_update(digest, symbols.data(), bytes);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(digest);
  XXH3_freeState(digest);
  if (!file.flush()) throw Error(fmt::format("cannot write {}", path.string()));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

ordered_json symbols(const Arguments& arguments) {
  const Spool spool = Spool::open(arguments.spool);
  if (spool.streams().size() != 1) throw Error("the recording has more than one stream");
  std::uint32_t largest_block = 0;
  std::uint64_t events = 0;
  EventCursor cursor = spool.events(spool.streams().front().id);
  while (cursor.next()) {
    for (const Event& event : cursor.batch()) {
      if (event.kind == EventKind::block) largest_block = std::max(largest_block, event.id);
    }
    events += cursor.batch().size();
  }
  const bool is_short = largest_block + spool.functions().size() <= UINT16_MAX;
  const std::string digest =
      is_short ? write_symbols<std::uint16_t>(spool, largest_block, arguments.symbols)
               : write_symbols<std::uint32_t>(spool, largest_block, arguments.symbols);
  return {{"events", events},
          {"bits", is_short ? 16 : 32},
          {"largest_block", largest_block},
          {"digest", digest}};
}

ordered_json as_json(const Coverage& coverage) { return {coverage.chunks, coverage.all}; }

ordered_json as_json(const SchemeTimes& times) {
  return {{"scheme", times.name},
          {"cold_ns", times.cold_ns},
          {"kept_ns", times.kept_ns},
          {"chunks", times.cost.chunks},
          {"rules", times.cost.rules},
          {"events_scanned", times.cost.events_scanned},
          {"bytes_read", times.cost.bytes_read}};
}

ordered_json measured(const Arguments& arguments, const PathType& type, std::size_t number) {
  const ChosenPath& path = type.paths[number];
  const std::vector<BlockId>& before = type.paths[(number + 1) % type.paths.size()].blocks;
  const PathTimes times = time_path(arguments.files, type, path.blocks, before, arguments.repeats);
  if (path.occurs != (times.count > 0)) throw Error("a path occurs that does not, or the reverse");
  ordered_json json = {{"blocks", path.blocks}, {"count", times.count}};
  json["first"] = times.first ? ordered_json(*times.first) : ordered_json(nullptr);
  for (const SchemeTimes& scheme : times.schemes) json["schemes"].push_back(as_json(scheme));
  return json;
}

ordered_json scanner(const Arguments& arguments, const std::vector<PathType>& types) {
  ordered_json json;
  for (const PathType& type : types) {
    const bool where_it_runs = type.number == 3;
    if (type.number == 2) continue;
    const auto time = time_scan(arguments.files.chunks, type, where_it_runs, arguments.repeats);
    if (time) {
      json[where_it_runs ? "hot" : "elsewhere"] = {{"ns_per_event", time->ns_per_event},
                                                   {"events", time->events}};
    }
  }
  return json;
}

ordered_json measure(const Arguments& arguments) {
  const Spool chunks = Spool::open(arguments.files.chunks);
  const Spool grammar = Spool::open(arguments.files.grammar);
  const std::vector<PathType> types =
      choose_paths(chunks, grammar, arguments.present, arguments.absent);
  const unsigned often = 5 * arguments.repeats;
  ordered_json json = {{"opening_ns",
                        {{"chunks", opening_ns(arguments.files.chunks, often)},
                         {"grammar", opening_ns(arguments.files.grammar, often)}}},
                       {"memory_bytes", FindOptions{}.memory_bytes},
                       {"scanner", scanner(arguments, types)}};
  const std::filesystem::path& file = arguments.files.chunks;
  const double everything_ns = unpacking_ns(file, std::nullopt, arguments.repeats);
  json["types"] = ordered_json::array();
  for (const PathType& type : types) {
    ordered_json one = {
        {"type", type.number},
        {"is_of_it", type.is_of_it},
        {"function", chunks.functions().readable_name(type.function)},
        {"function_id", type.function},
        {"function_events", type.events},
        {"coverage_chunks", as_json(type.in_chunks)},
        {"coverage_grammar", as_json(type.in_grammar)},
        {"unpacking_ns",
         {{"1", everything_ns}, {"3", unpacking_ns(file, type.function, arguments.repeats)}}}};
    one["paths"] = ordered_json::array();
    for (std::size_t i = 0; i < type.paths.size(); ++i) {
      one["paths"].push_back(measured(arguments, type, i));
    }
    json["types"].push_back(std::move(one));
  }
  return json;
}

}  // namespace
}  // namespace pathspool::bench

int main(int argc, char** argv) {
  namespace bench = pathspool::bench;
  bench::Arguments arguments;
  CLI::App app("Measures path matching on one recording");
  app.require_subcommand(1);
  CLI::App* const symbols = app.add_subcommand("symbols", "Writes the trace as 16-bit symbols");
  symbols->add_option("SPOOL", arguments.spool)->required();
  symbols->add_option("OUT", arguments.symbols)->required();
  CLI::App* const measure = app.add_subcommand("measure", "Chooses paths and times all schemes");
  measure->add_option("CHUNKS", arguments.files.chunks, "A spool of form chunks")->required();
  measure->add_option("GRAMMAR", arguments.files.grammar, "The same trace as form grammar")
      ->required();
  measure->add_option("--paths", arguments.present, "Paths that occur, of each type");
  measure->add_option("--absent", arguments.absent, "Paths that do not occur, of each type");
  measure->add_option("--repeats", arguments.repeats, "Runs of which the median counts, at least")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    const nlohmann::ordered_json json =
        symbols->parsed() ? bench::symbols(arguments) : bench::measure(arguments);
    fmt::print("{}\n", json.dump(1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "matching_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
