// What is measured: generated traces, the same everywhere, and recordings where there are any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pathspool/event.h"

namespace pathspool::bench {

struct Trace {
  std::string name;
  std::uint32_t function_count = 0;
  std::vector<Event> events;
};

// The names of the generated traces.
[[nodiscard]] std::vector<std::string> generated_traces();
// Throws Error if there is none of that name.
[[nodiscard]] Trace generate(const std::string& name, std::uint64_t event_count);

// The *.u32 files of a folder, by name. Each holds one little-endian uint32 an event: the top two
// bits are the kind (0 exit, 1 enter, 2 block), the others the id.
[[nodiscard]] std::vector<std::filesystem::path> recorded_traces(
    const std::filesystem::path& folder);
// At most the first `most_events`. Throws Error if the file is something else.
[[nodiscard]] Trace load(const std::filesystem::path& path, std::uint64_t most_events);

// The events as uint32, the same coding as in those files.
[[nodiscard]] std::vector<std::uint32_t> as_words(const std::vector<Event>& events);

// The events as the smallest alphabet of fixed width: exit is 0, a block its local id, an enter the
// function's id plus one more than the largest block id. Empty if that does not fit 16 bits.
[[nodiscard]] std::vector<std::uint16_t> as_short_symbols(const std::vector<Event>& events);

}  // namespace pathspool::bench
