#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "cli/counted.h"
#include "cli/info_report.h"
#include "cli/table.h"
#include "cli/visible_text.h"
#include "pathspool/text.h"

namespace pathspool::cli {

namespace {

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("{:<18}{}\n", fmt::format("{}:", name), value);
}

std::string fact(std::string_view name, std::uint64_t value) {
  return fact(name, fmt::to_string(value));
}

std::string known_fact(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fact(name, visible(value));
}

std::string state_of(const SpoolInfo& info) {
  if (!info.truncation) return "complete";
  return fmt::format("truncated after {} bytes ({} unusable, at least {} missing)",
                     info.truncation->complete_bytes, info.truncation->unusable_bytes,
                     info.truncation->missing_bytes);
}

std::string metadata_text(const Metadata& metadata) {
  std::string arguments;
  for (const std::string& argument : metadata.arguments) {
    if (!arguments.empty()) arguments += ' ';
    arguments += quoted_if_needed(argument);
  }
  return known_fact("program", metadata.program) + known_fact("arguments", arguments) +
         known_fact("build id", metadata.build_id) + known_fact("host", metadata.host) +
         known_fact("time", metadata.time) + known_fact("mode", metadata.mode) +
         known_fact("tool version", metadata.tool_version);
}

std::string streams_text(const SpoolInfo& info) {
  Table table({{"stream", Align::right}, {"events", Align::right}, {"title", Align::left}});
  for (const StreamInfo& stream : info.streams) {
    table.add({fmt::to_string(fmt::underlying(stream.id)), fmt::to_string(stream.events),
               pathspool::quoted(stream.title)});
  }
  return table.text();
}

// A program may make any number of marks; JSON has them all.
constexpr std::size_t kMostNotes = 50;

std::string notes_text(const SpoolInfo& info) {
  Table table({{"note", Align::left}, {"before", Align::right}, {"text", Align::left}});
  const std::size_t shown = std::min(info.notes.size(), kMostNotes);
  for (const Note& note : std::span(info.notes).first(shown)) {
    table.add({std::string(name_of(note.kind)),
               fmt::format("{}:{}", fmt::underlying(note.position.stream), note.position.index),
               pathspool::quoted(note.text)});
  }
  std::string text = table.text();
  if (shown < info.notes.size()) text += fmt::format("and {} more\n", info.notes.size() - shown);
  return text;
}

std::string sections_text(const SpoolInfo& info) {
  Table table({{"section", Align::left},
               {"count", Align::right},
               {"bytes", Align::right},
               {"share", Align::right}});
  for (const SectionSize& section : info.sections) {
    const double share = info.file_bytes == 0 ? 0
                                              : 100 * static_cast<double>(section.bytes) /
                                                    static_cast<double>(info.file_bytes);
    table.add({section.name, fmt::to_string(section.count), fmt::to_string(section.bytes),
               fmt::format("{:.1f}%", share)});
  }
  return table.text();
}

// How the segments are stored, each way once: "chunks (zstd)", "grammar (segments)".
std::vector<std::string> forms_of(const SpoolInfo& info) {
  std::vector<std::string> forms;
  for (const SegmentInfo& segment : info.segments) {
    std::string form(name_of(segment.form));
    if (segment.codec) form += fmt::format(" ({})", name_of(*segment.codec));
    if (segment.symbols) form += fmt::format(" ({})", name_of(*segment.symbols));
    if (std::ranges::find(forms, form) == forms.end()) forms.push_back(form);
  }
  return forms;
}

}  // namespace

std::string info_text(const std::string& file, const Spool& spool) {
  const SpoolInfo info = spool.info();
  const std::vector<std::string> forms = forms_of(info);
  std::string text = fact("file", visible(file));
  text += fact("state", state_of(info));
  text += fact("events", info.events);
  text += fact("streams", info.streams.size());
  text += fact("functions listed", info.functions_listed);
  text += fact("functions ran", info.functions_ran);
  text += fact("deepest level", info.deepest_level ? fmt::to_string(*info.deepest_level) : "none");
  text += fact("form", forms.empty() ? "none" : fmt::format("{}", fmt::join(forms, ", ")));
  text += fact("segments", info.segments.size());
  text += fact("bytes", info.file_bytes);
  text += fact("index bytes", info.index_bytes);
  text += fact("ratio", fmt::format("{:.2f}", info.ratio));
  text += metadata_text(spool.metadata());
  if (!info.streams.empty()) text += '\n' + streams_text(info);
  if (!info.notes.empty()) text += '\n' + notes_text(info);
  return text + '\n' + sections_text(info);
}

}  // namespace pathspool::cli
