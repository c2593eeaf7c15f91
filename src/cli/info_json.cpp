#include <algorithm>
#include <cmath>

#include "cli/info_report.h"

namespace pathspool::cli {

namespace {

Json metadata_json(const Metadata& metadata) {
  Json json = Json::object();
  const auto add = [&json](const char* name, const std::string& value) {
    if (!value.empty()) json[name] = value;
  };
  add("program", metadata.program);
  if (!metadata.arguments.empty()) json["arguments"] = metadata.arguments;
  add("build_id", metadata.build_id);
  add("host", metadata.host);
  add("time", metadata.time);
  add("tool_version", metadata.tool_version);
  add("mode", metadata.mode);
  return json;
}

Json stream_json(const StreamInfo& stream) {
  Json json = {{"stream", stream.id}, {"title", stream.title}, {"events", stream.events}};
  json["parent"] = stream.parent ? Json(*stream.parent) : Json(nullptr);
  return json;
}

Json note_json(const Note& note) {
  return {{"kind", name_of(note.kind)},
          {"stream", note.position.stream},
          {"index", note.position.index},
          {"text", note.text}};
}

Json segment_json(const SegmentInfo& segment) {
  Json json = {{"stream", segment.stream}, {"form", name_of(segment.form)}};
  if (segment.codec) json["codec"] = name_of(*segment.codec);
  if (segment.symbols) json["symbols"] = name_of(*segment.symbols);
  json["first_event"] = segment.first_event;
  json["events"] = segment.events;
  json["chunks"] = segment.chunks;
  json["indexed"] = segment.indexed;
  json["offset_bytes"] = segment.offset_bytes;
  json["stored_bytes"] = segment.stored_bytes;
  json["index_bytes"] = segment.index_bytes;
  return json;
}

// The forms that occur, each once; what goes with them is told segment by segment.
Json forms_json(const SpoolInfo& info) {
  Json json = Json::array();
  for (const SegmentInfo& segment : info.segments) {
    const Json form = name_of(segment.form);
    if (std::ranges::find(json, form) == json.end()) json.push_back(form);
  }
  return json;
}

template <typename Items, typename ToJson>
Json array_of(const Items& items, ToJson to_json) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(to_json(item));
  return json;
}

Json section_json(const SectionSize& section) {
  return {{"name", section.name}, {"count", section.count}, {"bytes", section.bytes}};
}

}  // namespace

Json info_json(const std::string& file, const Spool& spool) {
  const SpoolInfo info = spool.info();
  return {{"file", file},
          {"state", info.truncation ? "truncated" : "complete"},
          {"file_bytes", info.file_bytes},
          {"events", info.events},
          {"functions_listed", info.functions_listed},
          {"functions_ran", info.functions_ran},
          {"deepest_level", info.deepest_level ? Json(*info.deepest_level) : Json(nullptr)},
          {"forms", forms_json(info)},
          {"index_bytes", info.index_bytes},
          {"ratio", std::round(info.ratio * 100) / 100},
          {"truncation", json_of(info.truncation)},
          {"metadata", metadata_json(spool.metadata())},
          {"streams", array_of(info.streams, stream_json)},
          {"notes", array_of(info.notes, note_json)},
          {"segments", array_of(info.segments, segment_json)},
          {"sections", array_of(info.sections, section_json)}};
}

}  // namespace pathspool::cli
