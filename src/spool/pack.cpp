// Packing whole inputs: another spool, or the text form.
#include "pathspool/pack.h"

#include <algorithm>

#include "base/file.h"
#include "pathspool/error.h"
#include "spool/layout.h"
#include "spool/spool_impl.h"

namespace pathspool {

void pack(const Spool& input, const std::filesystem::path& output, const PackOptions& options,
          const Progress& progress) {
  if (input.impl().file().same_file_as(output)) throw Error("is both the input and the output");
  Metadata metadata = input.metadata();
  metadata.tool_version = PATHSPOOL_VERSION;
  SpoolWriter writer(output, options, metadata);
  const FunctionTable& functions = input.functions();
  for (std::uint32_t id = 0; id < functions.size(); ++id) {
    writer.functions().add(functions[FunctionId{id}]);
  }

  for (const Note& note : input.notes()) writer.note(note);

  std::uint64_t total = 0;
  for (const StreamInfo& stream : input.streams()) total += stream.events;
  std::uint64_t done = 0;
  for (const StreamInfo& stream : input.streams()) {
    writer.open_stream(stream.id, stream.title, stream.parent);
    EventCursor cursor = input.events(stream.id);
    while (cursor.next()) {
      writer.append(stream.id, cursor.batch());
      done += cursor.batch().size();
      if (progress) progress(done, total);
    }
  }
  writer.finish();
}

void pack_text(const ByteSource& text, const std::filesystem::path& output,
               const PackOptions& options, const Progress& progress) {
  Metadata metadata;
  metadata.tool_version = PATHSPOOL_VERSION;
  SpoolWriter writer(output, options, metadata);
  TextReader reader(text, writer.functions());
  TextBatch batch;
  while (reader.next(batch)) {
    if (batch.opens_stream) writer.open_stream(batch.stream, batch.title);
    writer.append(batch.stream, batch.events);
    if (progress) progress(reader.consumed_bytes(), 0);
  }
  writer.finish();
}

bool looks_like_a_spool(const std::filesystem::path& path) {
  const base::InputFile file(path);
  const base::Bytes start =
      file.read(0, std::min<std::uint64_t>(file.size_bytes(), spool::kMagic.size()));
  return start.size() == spool::kMagic.size() &&
         std::equal(start.begin(), start.end(), spool::kMagic.begin());
}

}  // namespace pathspool
