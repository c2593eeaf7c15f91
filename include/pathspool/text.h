// The text form of a trace: reading and writing it, both in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/function_table.h"

namespace pathspool {

// Fills the buffer with the next bytes of the text and returns how many; 0 at the end.
using ByteSource = std::function<std::size_t(std::span<char> buffer)>;

// Takes finished bytes of output.
using ByteSink = std::function<void(std::string_view bytes)>;

// A run of events of one stream, as they came.
struct TextBatch {
  StreamId stream{};
  bool opens_stream = false;  // the batch begins with an `@stream` line (its events may be none)
  std::string title;          // that line's title; empty if it gave none
  std::vector<Event> events;
};

// Reads the text form. Functions are interned into the table by name, in order of appearance.
class TextReader {
 public:
  TextReader(ByteSource source, FunctionTable& functions);
  ~TextReader();
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  // Fills the batch with the next events, at most a few thousand of one stream, and returns true;
  // false at the end of the text. Throws Error, naming line and column, at the first mistake: the
  // events before it have been delivered.
  bool next(TextBatch& batch);

  // Bytes taken from the source so far, for progress.
  [[nodiscard]] std::uint64_t consumed_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes the text form: one blank between events, a newline after every 20 events and at the end of
// a stream.
class TextWriter {
 public:
  TextWriter(ByteSink sink, const FunctionTable& functions);
  ~TextWriter();
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  void begin_stream(StreamId stream, std::string_view title);  // an `@stream` line
  void comment(std::string_view text);                         // a line of its own
  void events(std::span<const Event> events);
  void finish();  // ends the last line and hands everything to the sink

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The name as the text form writes it: in quotes, with escapes, if it would be misread bare.
[[nodiscard]] std::string quoted_if_needed(std::string_view name);

// The string in double quotes with escapes, always.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace pathspool
