#include "traces.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "pathspool/error.h"
#include "support/program_model.h"

namespace pathspool::bench {
namespace {

struct Shape {
  const char* name;
  testing::ModelOptions options;
};

// Seeds and sizes are part of the results: changing one changes every number.
const std::array<Shape, 4>& shapes() {
  static const std::array<Shape, 4> all = {{
      // Many functions, deep calls, branches with habits.
      {"interpreter",
       {.seed = 1,
        .functions = 600,
        .statements = 4,
        .chance = 0.03,
        .most_iterations = 4,
        .deepest_recursion = 40}},
      // Few functions, long loops, much decided by the data.
      {"compressor",
       {.seed = 12,
        .functions = 12,
        .statements = 12,
        .chance = 0.25,
        .most_iterations = 200,
        .deepest_recursion = 6}},
      // Many functions, some decided by the data.
      {"compiler",
       {.seed = 2,
        .functions = 300,
        .statements = 9,
        .chance = 0.1,
        .most_iterations = 4,
        .deepest_recursion = 25}},
      // The same loops in the same calls again and again.
      {"loops-in-calls",
       {.seed = 14,
        .functions = 40,
        .statements = 12,
        .chance = 0.0,
        .most_iterations = 40,
        .deepest_recursion = 5}},
  }};
  return all;
}

}  // namespace

std::vector<std::string> generated_traces() {
  std::vector<std::string> names;
  for (const Shape& shape : shapes()) names.emplace_back(shape.name);
  return names;
}

Trace generate(const std::string& name, std::uint64_t event_count) {
  const auto shape = std::ranges::find(shapes(), name, &Shape::name);
  if (shape == shapes().end()) throw Error(fmt::format("there is no generated trace {}", name));
  testing::ProgramModel model(shape->options);
  Trace trace{name, shape->options.functions, {}};
  trace.events.reserve(event_count);
  model.run(event_count, [&trace](std::span<const Event> batch) {
    trace.events.insert(trace.events.end(), batch.begin(), batch.end());
  });
  return trace;
}

std::vector<std::filesystem::path> recorded_traces(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".u32") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

Trace load(const std::filesystem::path& path, std::uint64_t most_events) {
  const std::uint64_t events = std::min(std::filesystem::file_size(path) / 4, most_events);
  std::vector<std::uint8_t> bytes(4 * events);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error(fmt::format("cannot read {}", path.string()));

  Trace trace{path.stem().string(), 0, {}};
  trace.events.reserve(events);
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const std::uint32_t word = std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8 |
                               std::uint32_t{bytes[at + 2]} << 16 |
                               std::uint32_t{bytes[at + 3]} << 24;
    const std::uint32_t kind = word >> 30;
    const std::uint32_t id = word & 0x3fff'ffff;
    if (kind > 2 || (kind == 2 && id == 0)) {
      throw Error(fmt::format("{} holds something that is no event", path.string()), at);
    }
    trace.events.push_back({static_cast<EventKind>(kind), kind == 0 ? 0 : id});
    if (kind == 1) trace.function_count = std::max(trace.function_count, id + 1);
  }
  return trace;
}

std::vector<std::uint32_t> as_words(const std::vector<Event>& events) {
  std::vector<std::uint32_t> words;
  words.reserve(events.size());
  for (const Event& event : events) {
    words.push_back(static_cast<std::uint32_t>(event.kind) << 30 | event.id);
  }
  return words;
}

std::vector<std::uint16_t> as_short_symbols(const std::vector<Event>& events) {
  std::uint64_t largest_block = 0;
  std::uint64_t largest_function = 0;
  for (const Event& event : events) {
    std::uint64_t& largest = event.kind == EventKind::block ? largest_block : largest_function;
    largest = std::max<std::uint64_t>(largest, event.id);
  }
  if (largest_block + 1 + largest_function > UINT16_MAX) return {};
  std::vector<std::uint16_t> symbols;
  symbols.reserve(events.size());
  for (const Event& event : events) {
    const std::uint64_t first = event.kind == EventKind::enter ? largest_block + 1 : 0;
    symbols.push_back(static_cast<std::uint16_t>(first + event.id));
  }
  return symbols;
}

}  // namespace pathspool::bench
