// Measures packing, reading and sizes of traces; see bench/README.md.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "measurements.h"
#include "pathspool/error.h"
#include "report.h"
#include "traces.h"

namespace pathspool::bench {
namespace {

struct Arguments {
  std::uint64_t events = 25'000'000;
  MeasureOptions measure;
  std::string traces = "generated";
  std::vector<std::string> only;
  std::filesystem::path output;  // without extension; empty: print only
  std::filesystem::path summary;
  Conditions conditions{"unknown", "g++ " __VERSION__, "pack_bench"};
};

bool wanted(const Arguments& arguments, const std::string& name) {
  return arguments.only.empty() || std::ranges::find(arguments.only, name) != arguments.only.end();
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(fmt::format("cannot write {}", path.string()));
}

void write_results(const Arguments& arguments, const std::vector<TraceResult>& results) {
  if (arguments.output.empty()) return;
  const std::string base = arguments.output.string();
  write_file(base + ".md", markdown(arguments.conditions, results));
  write_file(base + ".csv", csv(results));
  write_file(base + ".json", json(arguments.conditions, results));
}

// The files are written anew after each trace: a long run that is stopped leaves what it has.
void add_result(const Trace& trace, const Arguments& arguments, std::vector<TraceResult>& results) {
  fmt::print(stderr, "pack_bench: {} ({} events)\n", trace.name, trace.events.size());
  results.push_back(measure(trace, arguments.measure));
  write_results(arguments, results);
}

std::vector<TraceResult> measure_all(const Arguments& arguments) {
  std::vector<TraceResult> results;
  if (arguments.traces == "generated") {
    for (const std::string& name : generated_traces()) {
      if (wanted(arguments, name)) add_result(generate(name, arguments.events), arguments, results);
    }
    return results;
  }
  const char* const folder = std::getenv("PATHSPOOL_TRACES");
  if (folder == nullptr) throw Error("PATHSPOOL_TRACES does not name a folder of *.u32 files");
  for (const std::filesystem::path& path : recorded_traces(folder)) {
    if (wanted(arguments, path.stem().string())) {
      add_result(load(path, arguments.events), arguments, results);
    }
  }
  return results;
}

void run(const Arguments& arguments) {
  const std::vector<TraceResult> results = measure_all(arguments);
  if (results.empty()) throw Error("there is no such trace");
  fmt::print("{}", markdown(arguments.conditions, results));
  if (!arguments.summary.empty()) write_file(arguments.summary, summary_table(results));
}

}  // namespace
}  // namespace pathspool::bench

int main(int argc, char** argv) {
  pathspool::bench::Arguments arguments;
  CLI::App app("Measures packing, reading and sizes of traces");
  app.add_option("--events", arguments.events, "Events of each trace")->check(CLI::PositiveNumber);
  app.add_option("--repeats", arguments.measure.repeats, "Runs of which the median counts")
      ->check(CLI::PositiveNumber);
  app.add_flag("--full", arguments.measure.full, "Also zstd -19");
  app.add_option("--traces", arguments.traces, "Which: generated, or recorded in PATHSPOOL_TRACES")
      ->check(CLI::IsMember({"generated", "recorded"}));
  app.add_option("--only", arguments.only, "Just the traces of these names");
  app.add_option("--output", arguments.output, "Also writes this path with .md, .csv and .json");
  app.add_option("--summary", arguments.summary, "Writes the README's table to this file");
  app.add_option("--machine", arguments.conditions.machine, "For the report");
  app.add_option("--command", arguments.conditions.command, "For the report");
  CLI11_PARSE(app, argc, argv);
  try {
    pathspool::bench::run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "pack_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
