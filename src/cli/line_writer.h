// The text form with one event a line, indented by level and followed by its place in the source.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pathspool/function_table.h"
#include "pathspool/text.h"

namespace pathspool::cli {

class LineWriter {
 public:
  LineWriter(ByteSink sink, const FunctionTable& functions)
      : sink_(std::move(sink)), functions_(functions), comments_(functions.size()) {}

  void begin_stream(StreamId stream, std::string_view title);
  void comment(std::string_view text);
  // The frames open before the next event, outermost first.
  void begin_in(std::vector<FunctionId> frames) { frames_ = std::move(frames); }
  void events(std::span<const Event> events);
  void finish();

 private:
  // What follows the events of a function, made when it is first met. Each ends its line.
  struct Comments {
    std::string enter;  // with the name before it
    std::vector<std::string> blocks;
  };

  void write(const Event& event);
  void indent(std::size_t level);
  [[nodiscard]] const Comments& comments_of(FunctionId function);
  void hand_over_if_full();

  ByteSink sink_;
  const FunctionTable& functions_;
  std::vector<Comments> comments_;  // by function
  std::vector<FunctionId> frames_;
  std::string buffer_;
};

// `file.c:120`, `file.c:120-124`, `file.c:120,124-126`; empty if the file or the lines are not
// known. Lines come in any order and more than once.
[[nodiscard]] std::string source_place(const std::string& file, std::vector<std::uint32_t> lines);

}  // namespace pathspool::cli
