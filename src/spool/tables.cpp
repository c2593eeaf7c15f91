#include "spool/tables.h"

#include <algorithm>
#include <string_view>

#include "pathspool/error.h"

namespace pathspool::spool {
namespace {

constexpr std::string_view kArgument = "argument";

// Metadata is a list of named values, so that later versions can add some without a new format.
struct NamedField {
  std::string_view name;
  std::string Metadata::*value;
};
constexpr NamedField kFields[] = {
    {"program", &Metadata::program}, {"build-id", &Metadata::build_id}, {"host", &Metadata::host},
    {"time", &Metadata::time},       {"tool", &Metadata::tool_version}, {"mode", &Metadata::mode},
};

void refuse_unless(bool good, const Section& section, const char* what) {
  if (!good) throw Error(what, section.ref.head_offset_bytes());
}

}  // namespace

SectionDraft draft_metadata(const Metadata& metadata) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (const NamedField& field : kFields) {
    if (!(metadata.*field.value).empty()) pairs.emplace_back(field.name, metadata.*field.value);
  }
  for (const std::string& argument : metadata.arguments) pairs.emplace_back(kArgument, argument);

  base::ByteWriter writer;
  writer.varint(pairs.size());
  for (const auto& [name, value] : pairs) {
    writer.string(name);
    writer.string(value);
  }
  return {kMetadataSection, writer.take(), {}};
}

void read_metadata(const Section& section, Metadata& metadata) {
  base::ByteReader reader(section.content);
  for (std::uint64_t left = reader.count(2); left > 0; --left) {
    const std::string name = reader.string();
    std::string value = reader.string();
    if (name == kArgument) metadata.arguments.push_back(std::move(value));
    for (const NamedField& field : kFields) {
      if (field.name == name) metadata.*field.value = std::move(value);
    }
  }
  refuse_unless(reader.done(), section, "metadata is malformed");
}

SectionDraft draft_streams(const std::vector<StreamInfo>& streams) {
  base::ByteWriter writer;
  writer.varint(streams.size());
  for (const StreamInfo& stream : streams) {
    writer.varint(static_cast<std::uint32_t>(stream.id));
    writer.string(stream.title);
    // 0 for none, otherwise the parent's number plus one.
    writer.varint(stream.parent ? std::uint64_t{static_cast<std::uint32_t>(*stream.parent)} + 1
                                : 0);
  }
  return {kStreamsSection, writer.take(), {}};
}

void read_streams(const Section& section, std::vector<StreamInfo>& streams) {
  base::ByteReader reader(section.content);
  for (std::uint64_t left = reader.count(3); left > 0 && !reader.failed(); --left) {
    StreamInfo stream;
    stream.id = StreamId{reader.varint32()};
    stream.title = reader.string();
    const std::uint64_t parent = reader.varint();
    if (parent > std::uint64_t{UINT32_MAX} + 1) reader.fail();
    if (parent > 0) stream.parent = StreamId{static_cast<std::uint32_t>(parent - 1)};
    streams.push_back(std::move(stream));
  }
  refuse_unless(reader.done(), section, "stream table is malformed");
}

void sort_streams(std::vector<StreamInfo>& streams) {
  std::ranges::sort(streams, {}, &StreamInfo::id);
  if (std::ranges::adjacent_find(streams, {}, &StreamInfo::id) != streams.end()) {
    throw Error("a stream is listed twice");
  }
}

SectionDraft draft_notes(const std::vector<Note>& notes) {
  base::ByteWriter writer;
  writer.varint(notes.size());
  for (const Note& note : notes) {
    writer.varint(static_cast<std::uint32_t>(note.position.stream));
    writer.varint(note.position.index);
    writer.u8(static_cast<std::uint8_t>(note.kind));
    writer.string(note.text);
  }
  return {kNotesSection, writer.take(), {}};
}

void read_notes(const Section& section, std::vector<Note>& notes) {
  base::ByteReader reader(section.content);
  for (std::uint64_t left = reader.count(4); left > 0 && !reader.failed(); --left) {
    Note note;
    note.position.stream = StreamId{reader.varint32()};
    note.position.index = reader.varint();
    note.kind = NoteKind{reader.u8()};
    note.text = reader.string();
    // Later versions may have more kinds.
    if (note.kind == NoteKind::mark || note.kind == NoteKind::warning) {
      notes.push_back(std::move(note));
    }
  }
  refuse_unless(reader.done(), section, "list of notes is malformed");
}

}  // namespace pathspool::spool
