// pathspool cat: the text form of a spool, or of a part of it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_error.h"
#include "cli/line_writer.h"
#include "cli/opened_spool.h"
#include "cli/progress_line.h"
#include "cli/standard_output.h"
#include "cli/stream_arguments.h"
#include "cli/verb.h"
#include "pathspool/spool.h"
#include "pathspool/text.h"

namespace pathspool::cli {

namespace {

struct CatArguments {
  std::string file;
  StreamArguments part;
  bool lines = false;
};

// A run of events of one stream that is to be printed; it may be empty.
struct Range {
  const StreamInfo* stream = nullptr;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

// What lies between --from and --to. A stream that has no events is kept if its start does.
std::vector<Range> chosen_ranges(const Spool& spool, const CatArguments& arguments) {
  std::vector<Range> ranges;
  const auto from = arguments.part.resolved_from();
  const auto to = arguments.part.resolved_to();
  for (const StreamInfo& stream : spool.streams()) {
    if (arguments.part.stream && stream.id != *arguments.part.stream) continue;
    if (from && stream.id < from->stream) continue;
    if (to && Position{stream.id, 0} >= *to) continue;
    Range range{&stream, 0, stream.events};
    if (from && stream.id == from->stream) range.from = std::min(from->index, stream.events);
    if (to && stream.id == to->stream) range.to = std::min(to->index, stream.events);
    const bool starts_here = range.from == 0;
    if (range.from < range.to || starts_here) ranges.push_back(range);
  }
  return ranges;
}

// The frames open where the output starts or, if nothing is printed, where it would have.
std::vector<FunctionId> frames_at_start(const Spool& spool, const std::vector<Range>& ranges,
                                        const Position& from) {
  for (const Range& range : ranges) {
    if (range.from < range.to) return spool.open_frames({range.stream->id, range.from});
  }
  for (const StreamInfo& stream : spool.streams()) {
    if (stream.id == from.stream) {
      return spool.open_frames({stream.id, std::min(from.index, stream.events)});
    }
  }
  return {};
}

std::string frames_comment(const Spool& spool, const std::vector<FunctionId>& frames) {
  std::string text = "open frames:";
  for (const FunctionId function : frames) {
    text += " " + quoted_if_needed(spool.functions().display_name(function));
  }
  return text;
}

// One event a line needs to know whose blocks come first.
void begin_in_frames(const Spool& spool, Position position, LineWriter& writer) {
  writer.begin_in(spool.open_frames(position));
}
void begin_in_frames(const Spool&, Position, TextWriter&) {}

template <typename Writer>
void write_ranges(const Spool& spool, const std::vector<Range>& ranges, bool with_stream_lines,
                  Writer& writer) {
  ProgressLine progress("printing", "events", isatty(STDOUT_FILENO) == 0);
  std::uint64_t total = 0;
  for (const Range& range : ranges) total += range.to - range.from;
  std::uint64_t done = 0;
  for (const Range& range : ranges) {
    if (with_stream_lines) writer.begin_stream(range.stream->id, range.stream->title);
    if (range.from == range.to) continue;
    begin_in_frames(spool, {range.stream->id, range.from}, writer);
    EventCursor cursor = spool.events(range.stream->id, range.from, range.to);
    while (cursor.next()) {
      writer.events(cursor.batch());
      done += cursor.batch().size();
      progress.show(done, total);
    }
  }
}

template <typename Writer>
void write_chosen(const Spool& spool, const CatArguments& arguments) {
  const bool with_stream_lines = !arguments.part.stream && spool.streams().size() > 1;
  const std::vector<Range> ranges = chosen_ranges(spool, arguments);
  Writer writer(write_output, spool.functions());
  naming(arguments.file, [&] {
    try {
      if (const auto from = arguments.part.resolved_from()) {
        writer.comment(frames_comment(spool, frames_at_start(spool, ranges, *from)));
      }
      write_ranges(spool, ranges, with_stream_lines, writer);
    } catch (const Error&) {
      writer.finish();  // what came before the damage is good, and ends with a whole line
      throw;
    }
  });
  writer.finish();
}

int run_cat(const CatArguments& arguments) {
  require_order(arguments.part);
  const Spool spool = open_spool(arguments.file);
  require_streams(spool, arguments.file, arguments.part);
  if (arguments.lines) {
    write_chosen<LineWriter>(spool, arguments);
  } else {
    write_chosen<TextWriter>(spool, arguments);
  }
  return kSuccess;
}

Run declare(CLI::App& app) {
  const auto arguments = std::make_shared<CatArguments>();
  app.add_option("FILE", arguments->file, "The spool")->required();
  app.add_option_function<std::string>(
         "--stream",
         [arguments](const std::string& text) {
           arguments->part.stream = parse_stream("--stream", text);
         },
         "Print the events of stream S only, without '@stream' lines")
      ->type_name("S");
  app.add_option_function<std::string>(
         "--from",
         [arguments](const std::string& text) {
           arguments->part.from = parse_position("--from", text);
         },
         "Begin at position P: 'S:N' is event N of stream S, both counted from 0; 'N' alone is in "
         "stream 0 or the one that --stream names. A comment line then names the open frames")
      ->type_name("P");
  app.add_option_function<std::string>(
         "--to",
         [arguments](const std::string& text) {
           arguments->part.to = parse_position("--to", text);
         },
         "End before position P")
      ->type_name("P");
  app.add_flag("--lines", arguments->lines,
               "Print one event a line, indented by two blanks for each open frame (100 at most), "
               "and after it, as a comment, its lines of source where they are known");
  return [arguments] { return run_cat(*arguments); };
}

constexpr std::string_view kDescription[] = {
    "Prints a spool in the text form that pack reads: 20 events a line, B<n> for a block, E for "
    "an exit, anything else for the entry of the function of that name.",
    "An '@stream' line comes before each stream if there are several. Streams are printed one "
    "after the other, by number."};
constexpr Example kExamples[] = {
    {"all of it", "pathspool cat run.spool"},
    {"40 events from event 1000 of stream 0 on", "pathspool cat run.spool --from 1000 --to 1040"},
    {"the same with file and line", "pathspool cat run.spool --lines --from 1000 --to 1040"},
    {"from the middle of stream 2 to its end", "pathspool cat run.spool --stream 2 --from 5000"},
};
constexpr ExitStatus kStatuses[] = {
    {kSuccess, "Done."},
    {kFailure,
     "The file cannot be read, is no spool or is damaged, there is no such stream, or the "
     "command line makes no sense."}};

}  // namespace

const Verb kCat = {"cat",        "print a spool, or a part of it, in text form",
                   kDescription, kExamples,
                   kStatuses,    declare};

}  // namespace pathspool::cli
