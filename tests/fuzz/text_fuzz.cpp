// The laws of the text form on arbitrary bytes: a reading does not depend on how the source splits
// them, and whatever is read, up to the first mistake, is written and read again to the same.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "pathspool/error.h"
#include "pathspool/text.h"

namespace {

using namespace pathspool;

struct Run {
  StreamId stream{};
  bool opened = false;
  std::string title;
  std::vector<Event> events;

  friend bool operator==(const Run&, const Run&) = default;
};

struct Reading {
  std::vector<Run> runs;
  std::vector<std::string> names;  // of the functions, by id
  std::string error;
  std::optional<std::uint64_t> error_offset_bytes;

  friend bool operator==(const Reading&, const Reading&) = default;
};

// The sizes of the pieces are taken from `sizes` in turn; without any, all comes at once.
Reading read(std::string_view text, std::string_view sizes, FunctionTable& functions) {
  std::size_t calls = 0;
  const auto source = [&](std::span<char> buffer) {
    std::size_t size = std::min(buffer.size(), text.size());
    if (!sizes.empty()) {
      const auto piece = static_cast<unsigned char>(sizes[calls++ % sizes.size()]);
      size = std::min(size, std::size_t{piece} % 16 + 1);
    }
    std::memcpy(buffer.data(), text.data(), size);
    text.remove_prefix(size);
    return size;
  };
  Reading reading;
  TextReader reader(source, functions);
  TextBatch batch;
  try {
    while (reader.next(batch)) {
      PATHSPOOL_CHECK(batch.opens_stream || !batch.events.empty());
      if (batch.opens_stream || reading.runs.empty()) {
        reading.runs.push_back({batch.stream, batch.opens_stream, batch.title, {}});
      }
      Run& run = reading.runs.back();
      PATHSPOOL_CHECK(batch.stream == run.stream);
      run.events.insert(run.events.end(), batch.events.begin(), batch.events.end());
    }
  } catch (const Error& error) {
    reading.error = error.what();
    reading.error_offset_bytes = error.offset_bytes();
    PATHSPOOL_CHECK(reading.error_offset_bytes.has_value());
  }
  for (std::size_t id = 0; id < functions.size(); ++id) {
    reading.names.push_back(functions[FunctionId{static_cast<std::uint32_t>(id)}].name);
  }
  return reading;
}

std::string written(const Reading& reading, const FunctionTable& functions) {
  std::string text;
  TextWriter writer([&](std::string_view bytes) { text += bytes; }, functions);
  for (const Run& run : reading.runs) {
    if (run.opened) writer.begin_stream(run.stream, run.title);
    writer.events(run.events);
  }
  writer.finish();
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FunctionTable functions;
  const Reading whole = read(text, {}, functions);
  // Pieces of one byte, and pieces of sizes that the text itself gives.
  for (const std::string_view sizes : {std::string_view("\0", 1), text}) {
    FunctionTable split_functions;
    PATHSPOOL_CHECK(read(text, sizes, split_functions) == whole);
  }

  Reading expected = whole;
  expected.error.clear();
  expected.error_offset_bytes.reset();
  const std::string once = written(whole, functions);
  FunctionTable functions_again;
  const Reading again = read(once, {}, functions_again);
  PATHSPOOL_CHECK(again == expected);
  PATHSPOOL_CHECK(written(again, functions_again) == once);
  return 0;
}
