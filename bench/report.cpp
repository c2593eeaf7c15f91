#include "report.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "targets.h"

namespace pathspool::bench {
namespace {

enum class Unit { count, nanoseconds, microseconds, kilobytes, bytes, ratio, percent };

struct Column {
  const char* title;
  const char* measurement;
  Unit unit;
};

struct Table {
  const char* title;
  std::vector<Column> columns;
};

std::string shown(std::optional<double> value, Unit unit) {
  if (!value) return "–";
  switch (unit) {
    case Unit::count:
      return fmt::format("{:.0f}", *value);
    case Unit::nanoseconds:
      return fmt::format("{:.1f}", *value);
    case Unit::microseconds:
      return fmt::format("{:.0f}", *value);
    case Unit::kilobytes:
      return fmt::format("{:.1f}", *value / 1000);
    case Unit::bytes:
      return fmt::format("{:.1f}", *value);
    case Unit::ratio:
      return fmt::format("{:.3f}", *value);
    case Unit::percent:
      return fmt::format("{:.2f}%", 100 * *value);
  }
  return {};
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"The traces under general compressors (KB, ns per event)",
       {{"events", "events", Unit::count},
        {"xz -6 of uint32, ns", "xz6_u32_ns", Unit::nanoseconds},
        {"its size", "xz6_u32_bytes", Unit::kilobytes},
        {"xz -6 of uint16", "xz6_u16_bytes", Unit::kilobytes},
        {"zstd -3", "zstd3_u16_bytes", Unit::kilobytes},
        {"zstd -19", "zstd19_u16_bytes", Unit::kilobytes},
        {"bzip2 -9", "bzip2_u16_bytes", Unit::kilobytes},
        {"gzip -6", "gzip6_u16_bytes", Unit::kilobytes}}},
      {"SEQUITUR (ns per event)",
       {{"alone, blocks", "blocks_sequitur_ns", Unit::nanoseconds},
        {"trie and SEQUITUR, blocks", "blocks_trie_sequitur_ns", Unit::nanoseconds},
        {"of xz's", "blocks_cpu_to_xz_ratio", Unit::ratio},
        {"alone, segments", "segments_sequitur_ns", Unit::nanoseconds},
        {"trie and SEQUITUR, segments", "segments_trie_sequitur_ns", Unit::nanoseconds},
        {"of xz's", "segments_cpu_to_xz_ratio", Unit::ratio}}},
      {"Symbols and memory (bytes per symbol of the finished grammar)",
       {{"fed, segments", "segments_symbols_fed", Unit::count},
        {"grammar, blocks", "blocks_grammar_symbols", Unit::count},
        {"grammar, segments", "segments_grammar_symbols", Unit::count},
        {"nodes, blocks", "blocks_node_bytes_per_symbol", Unit::bytes},
        {"nodes, segments", "segments_node_bytes_per_symbol", Unit::bytes},
        {"digram table, segments", "segments_digram_table_bytes_per_symbol", Unit::bytes}}},
      {"Form grammar (ns per event, KB, size beside xz -6 of uint16)",
       {{"pack, blocks", "blocks_pack_ns", Unit::nanoseconds},
        {"size", "blocks_file_bytes", Unit::kilobytes},
        {"of xz's", "blocks_file_to_xz_ratio", Unit::ratio},
        {"expand", "blocks_expand_ns", Unit::nanoseconds},
        {"pack, segments", "segments_pack_ns", Unit::nanoseconds},
        {"size", "segments_file_bytes", Unit::kilobytes},
        {"of xz's", "segments_file_to_xz_ratio", Unit::ratio},
        {"expand", "segments_expand_ns", Unit::nanoseconds}}},
      {"Form chunks (ns per event, KB)",
       {{"pack, one core, CPU", "chunks_pack_ns", Unit::nanoseconds},
        {"one core, wall", "chunks_pack_one_core_wall_ns", Unit::nanoseconds},
        {"all cores, wall", "chunks_pack_all_cores_wall_ns", Unit::nanoseconds},
        {"unpack", "chunks_unpack_ns", Unit::nanoseconds},
        {"zstd", "chunks_file_bytes", Unit::kilobytes},
        {"gzip", "chunks_gzip_file_bytes", Unit::kilobytes},
        {"bzip2", "chunks_bzip2_file_bytes", Unit::kilobytes},
        {"xz", "chunks_xz_file_bytes", Unit::kilobytes}}},
      {"Index (bytes, share of the file)",
       {{"blocks", "blocks_index_bytes", Unit::count},
        {"share", "blocks_index_ratio", Unit::percent},
        {"segments", "segments_index_bytes", Unit::count},
        {"share", "segments_index_ratio", Unit::percent},
        {"chunks", "chunks_index_bytes", Unit::count},
        {"share", "chunks_index_ratio", Unit::percent}}},
      {"20 events at a random place, with the open frames (µs; opening the file and not)",
       {{"blocks, opening", "blocks_open_and_seek_us", Unit::microseconds},
        {"open", "blocks_seek_us", Unit::microseconds},
        {"segments, opening", "segments_open_and_seek_us", Unit::microseconds},
        {"open", "segments_seek_us", Unit::microseconds},
        {"chunks, opening", "chunks_open_and_seek_us", Unit::microseconds},
        {"open", "chunks_seek_us", Unit::microseconds}}}};
  return all;
}

std::string rendered(const std::vector<Column>& columns, const std::vector<TraceResult>& results) {
  std::string text = "| trace |";
  std::string rule = "| --- |";
  for (const Column& column : columns) {
    text += fmt::format(" {} |", column.title);
    rule += " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const TraceResult& result : results) {
    text += fmt::format("| {} |", result.trace);
    for (const Column& column : columns) {
      text += fmt::format(" {} |", shown(result.get(column.measurement), column.unit));
    }
    text += "\n";
  }
  return text;
}

std::string rendered_targets(const std::vector<TraceResult>& results) {
  std::string text = "| target | limit | reached on | worst | not reached |\n";
  text += "| --- | ---: | ---: | --- | --- |\n";
  for (const TargetReport& report : judge(results)) {
    std::vector<std::string> misses;
    for (const TargetReport::Value& miss : report.misses) {
      misses.push_back(fmt::format("{} {:.3g}", miss.trace, miss.value));
    }
    text += fmt::format("| {} | {:.3g} | {} of {} | {} {:.3g} | {} |\n", report.what, report.limit,
                        report.traces - misses.size(), report.traces, report.worst.trace,
                        report.worst.value,
                        misses.empty() ? "–" : fmt::format("{}", fmt::join(misses, ", ")));
  }
  return text;
}

}  // namespace

std::string markdown(const Conditions& conditions, const std::vector<TraceResult>& results) {
  std::string text = fmt::format(
      "# {}\n\nMachine: {}. Compiler: {}. Command: `{}`.\n\n"
      "Times are medians of CPU time (user and system) unless a column says wall; KB are 1000 "
      "bytes.\n",
      conditions.title, conditions.machine, conditions.compiler, conditions.command);
  for (const Table& table : tables()) {
    text += fmt::format("\n## {}\n\n{}", table.title, rendered(table.columns, results));
  }
  text += "\n## Targets\n\n" + rendered_targets(results);
  return text;
}

std::string summary_table(const std::vector<TraceResult>& results) {
  return rendered({{"xz -6, KB", "xz6_u16_bytes", Unit::kilobytes},
                   {"grammar, KB", "segments_file_bytes", Unit::kilobytes},
                   {"chunks, KB", "chunks_file_bytes", Unit::kilobytes},
                   {"xz -6, ns/event", "xz6_u32_ns", Unit::nanoseconds},
                   {"pack grammar", "segments_pack_ns", Unit::nanoseconds},
                   {"read it", "segments_expand_ns", Unit::nanoseconds},
                   {"pack chunks", "chunks_pack_ns", Unit::nanoseconds},
                   {"read them", "chunks_unpack_ns", Unit::nanoseconds}},
                  results);
}

std::string csv(const std::vector<TraceResult>& results) {
  std::string text = "trace,measurement,value\n";
  for (const TraceResult& result : results) {
    for (const Measurement& measurement : result.measurements) {
      text += fmt::format("{},{},{:.10g}\n", result.trace, measurement.name, measurement.value);
    }
  }
  return text;
}

std::string json(const Conditions& conditions, const std::vector<TraceResult>& results) {
  nlohmann::ordered_json document;
  document["title"] = conditions.title;
  document["machine"] = conditions.machine;
  document["compiler"] = conditions.compiler;
  document["command"] = conditions.command;
  for (const TraceResult& result : results) {
    auto& trace = document["traces"][result.trace];
    for (const Measurement& measurement : result.measurements) {
      trace[measurement.name] = measurement.value;
    }
  }
  for (const TargetReport& report : judge(results)) {
    nlohmann::ordered_json target;
    target["target"] = report.what;
    target["measurement"] = report.measurement;
    target["limit"] = report.limit;
    target["traces"] = report.traces;
    target["reached"] = report.traces - report.misses.size();
    target["worst"] = {{"trace", report.worst.trace}, {"value", report.worst.value}};
    document["targets"].push_back(target);
  }
  return document.dump(2) + "\n";
}

}  // namespace pathspool::bench
