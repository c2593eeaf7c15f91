#include "cli/line_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/visible_text.h"

namespace pathspool::cli {
namespace {

// Runaway recursion is deeper than any screen is wide, and would print more blanks than a disk
// holds.
constexpr std::size_t kMostIndented = 100;
constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

std::string as_comment(const std::string& place, const std::string& name) {
  if (place.empty() && name.empty()) return "\n";
  const char* const blank = place.empty() || name.empty() ? "" : " ";
  return fmt::format(" # {}{}{}\n", place, blank, name);
}

}  // namespace

std::string source_place(const std::string& file, std::vector<std::uint32_t> lines) {
  std::erase(lines, 0U);
  if (file.empty() || lines.empty()) return "";
  std::ranges::sort(lines);
  std::string text = visible(file);
  char separator = ':';
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] - lines[last] <= 1) ++last;
    text += separator + fmt::to_string(lines[i]);
    if (lines[last] != lines[i]) text += fmt::format("-{}", lines[last]);
    separator = ',';
    i = last + 1;
  }
  return text;
}

const LineWriter::Comments& LineWriter::comments_of(FunctionId id) {
  Comments& comments = comments_[static_cast<std::size_t>(id)];
  if (!comments.enter.empty()) return comments;
  const Function& function = functions_[id];
  for (const Block& block : function.blocks) {
    comments.blocks.push_back(as_comment(source_place(function.file, block.lines), ""));
  }
  const std::string place =
      function.line == 0 ? visible(function.file) : source_place(function.file, {function.line});
  comments.enter = quoted_if_needed(functions_.display_name(id)) +
                   as_comment(place, visible(function.demangled));
  return comments;
}

void LineWriter::begin_stream(StreamId stream, std::string_view title) {
  frames_.clear();
  buffer_ += fmt::format("@stream {} {}\n", fmt::underlying(stream), quoted(title));
}

void LineWriter::comment(std::string_view text) { buffer_ += fmt::format("# {}\n", text); }

void LineWriter::indent(std::size_t level) {
  buffer_.append(2 * std::min(level, kMostIndented), ' ');
}

void LineWriter::write(const Event& event) {
  switch (event.kind) {
    case EventKind::enter:
      indent(frames_.size());
      buffer_ += comments_of(event.function()).enter;
      frames_.push_back(event.function());
      return;
    case EventKind::exit:
      if (!frames_.empty()) frames_.pop_back();
      indent(frames_.size());
      buffer_ += "E\n";
      return;
    case EventKind::block:
      break;
  }
  indent(frames_.size());
  fmt::format_to(std::back_inserter(buffer_), "B{}", event.id);
  if (!frames_.empty()) {
    const std::vector<std::string>& comments = comments_of(frames_.back()).blocks;
    if (event.id - 1 < comments.size()) {
      buffer_ += comments[event.id - 1];
      return;
    }
  }
  buffer_ += '\n';
}

void LineWriter::events(std::span<const Event> events) {
  for (const Event& event : events) {
    write(event);
    hand_over_if_full();
  }
}

void LineWriter::hand_over_if_full() {
  if (buffer_.size() < kBufferBytes) return;
  sink_(buffer_);
  buffer_.clear();
}

void LineWriter::finish() {
  if (!buffer_.empty()) sink_(buffer_);
  buffer_.clear();
}

}  // namespace pathspool::cli
