#include "spool/tables.h"

#include <algorithm>
#include <string_view>

#include "pathspool/error.h"
#include "spool/packed.h"

namespace pathspool::spool {
namespace {

constexpr std::string_view kArgument = "argument";

// A function in memory is much larger than its shortest description: the file must hold a byte for
// so many.
constexpr std::uint64_t kFunctionsPerByte = 4;

// Metadata is a list of named values, so that later versions can add some without a new format.
struct NamedField {
  std::string_view name;
  std::string Metadata::*value;
};
constexpr NamedField kFields[] = {
    {"program", &Metadata::program}, {"build-id", &Metadata::build_id}, {"host", &Metadata::host},
    {"time", &Metadata::time},       {"tool", &Metadata::tool_version},
};

void write_function(base::ByteWriter& writer, const Function& function) {
  writer.string(function.name);
  writer.string(function.file);
  writer.varint(function.line);
  writer.varint(function.block_count);
  writer.varint(function.block_lines.size());
  std::uint32_t last_line = function.line;
  for (const std::uint32_t line : function.block_lines) {
    writer.signed_varint(std::int64_t{line} - last_line);
    last_line = line;
  }
  writer.varint(function.edges.size());
  for (const Edge& edge : function.edges) {
    writer.varint(static_cast<std::uint32_t>(edge.from));
    writer.varint(static_cast<std::uint32_t>(edge.to));
  }
}

Function read_function(base::ByteReader& reader) {
  Function function;
  function.name = reader.string();
  function.file = reader.string();
  function.line = reader.varint32();
  function.block_count = reader.varint32();
  function.block_lines.resize(reader.count());
  std::int64_t line = function.line;
  for (std::uint32_t& block_line : function.block_lines) {
    const std::int64_t step = reader.signed_varint();
    if (step < -std::int64_t{UINT32_MAX} || step > std::int64_t{UINT32_MAX}) reader.fail();
    line += reader.failed() ? 0 : step;
    if (line < 0 || line > std::int64_t{UINT32_MAX}) {
      reader.fail();
      line = 0;
    }
    block_line = static_cast<std::uint32_t>(line);
  }
  function.edges.resize(reader.count(2));
  for (Edge& edge : function.edges) edge = {BlockId{reader.varint32()}, BlockId{reader.varint32()}};
  return function;
}

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

SectionDraft draft_functions(const FunctionTable& functions, std::size_t first) {
  base::ByteWriter list;
  for (std::size_t id = first; id < functions.size(); ++id) {
    write_function(list, functions[FunctionId{static_cast<std::uint32_t>(id)}]);
  }
  base::ByteWriter writer;
  writer.varint(first);
  writer.varint(functions.size() - first);
  write_packed(writer, list.view(), (functions.size() - first) / kFunctionsPerByte + 1);
  return {kFunctionsSection, writer.take(), {}};
}

void read_functions(const Section& section, FunctionTable& functions) {
  base::ByteReader reader(section.content);
  const std::uint64_t first = reader.varint();
  const std::uint64_t claimed = reader.varint();
  const Unpacked list = read_packed(reader);
  base::ByteReader functions_reader(list.raw);
  const bool goes_on = reader.done() && first == functions.size() &&
                       claimed <= UINT32_MAX - first && claimed <= list.raw.size() &&
                       claimed / kFunctionsPerByte <= list.stored_bytes;
  refuse_unless(goes_on, section, "function table is malformed");
  for (std::uint64_t i = 0; i < claimed && !functions_reader.failed(); ++i) {
    functions.add(read_function(functions_reader));
  }
  refuse_unless(functions_reader.done(), section, "function table is malformed");
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

}  // namespace pathspool::spool
