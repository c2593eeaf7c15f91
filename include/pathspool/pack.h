// Writing a spool.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "pathspool/event.h"
#include "pathspool/function_table.h"
#include "pathspool/spool.h"
#include "pathspool/text.h"

namespace pathspool {

struct PackOptions {
  Form form = Form::chunks;
  Codec codec = Codec::zstd;  // of chunks
  // Of grammar. By default segments, but single events for a segment of less than kFewEvents, where
  // there is nothing to gain and the rules read as in the papers.
  std::optional<Symbols> symbols;
  // Of chunks: bytes of coded events, before compression. By default 4 MiB, or less if the memory
  // is small.
  std::optional<std::uint64_t> chunk_bytes;
  bool index = true;
  std::uint64_t memory_bytes = 1U << 30;  // segments are cut so that packing stays below this
  // Write straight to the final name: see SpoolWriter.
  bool in_place = false;
};

inline constexpr std::uint64_t kFewEvents = 1000;
// What a reader must be able to hold.
inline constexpr std::uint64_t kLargestChunkBytes = 256U << 20;
inline constexpr std::uint64_t kLeastMemoryBytes = 16U << 20;

// Writes a spool under a temporary name beside `path` and renames it when finished: until then, and
// if anything fails, whatever was at `path` stays as it was.
//
// In place, the spool has its name from the start, and what was there is gone. Whatever happens,
// even SIGKILL, it stays readable up to its last complete section, as a truncated spool; and where
// a call throws Error, as at a full disk, it is cut back to that. After such a failure the writer
// takes no more events and throws again when it is given some, but finish(), also if it was the one
// to fail, can be called to write what a complete spool needs besides: notes and the table of
// contents, which take little room.
class SpoolWriter {
 public:
  SpoolWriter(const std::filesystem::path& path, const PackOptions& options,
              const Metadata& metadata = {});
  ~SpoolWriter();
  SpoolWriter(const SpoolWriter&) = delete;
  SpoolWriter& operator=(const SpoolWriter&) = delete;

  // Functions may be added at any time before the first event that names them.
  [[nodiscard]] FunctionTable& functions();

  // Names a stream. Appending to a stream that was never opened opens it with an empty title; a
  // second call with another title renames it only if it has no events yet.
  void open_stream(StreamId stream, std::string title, std::optional<StreamId> parent = {});
  void append(StreamId stream, std::span<const Event> events);
  // Closes the stream's segment so far: what was appended is then in the file. Does nothing if
  // there is none.
  void cut(StreamId stream);
  // The same, and nothing will follow in this stream: what was held for it is given back.
  void end(StreamId stream);
  // To be found again by Spool::notes(). Written with the next segment of any stream, or at the
  // end.
  void note(Note note);

  // Closes every segment, writes the table of contents, renames. Nothing may be called after it.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// From another spool, with all it knows.
void pack(const Spool& input, const std::filesystem::path& output, const PackOptions& options,
          const Progress& progress = {});

// From the text form. Progress is in bytes of text.
void pack_text(const ByteSource& text, const std::filesystem::path& output,
               const PackOptions& options, const Progress& progress = {});

// Whether the file begins with a spool's magic: what `pack` uses to tell a spool from text.
[[nodiscard]] bool looks_like_a_spool(const std::filesystem::path& path);

}  // namespace pathspool
