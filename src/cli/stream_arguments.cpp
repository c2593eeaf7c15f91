#include "cli/stream_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/command_error.h"

namespace pathspool::cli {

Position StreamArguments::resolved(const PositionArgument& position) const {
  return {position.stream.value_or(stream.value_or(StreamId{0})), position.index};
}

std::optional<Position> StreamArguments::resolved_from() const {
  return from ? std::optional(resolved(*from)) : std::nullopt;
}

std::optional<Position> StreamArguments::resolved_to() const {
  return to ? std::optional(resolved(*to)) : std::nullopt;
}

void require_order(const StreamArguments& arguments) {
  const auto from = arguments.resolved_from();
  const auto to = arguments.resolved_to();
  if (from && to && *from > *to) {
    throw UsageError(fmt::format("--from {}:{} is after --to {}:{}", fmt::underlying(from->stream),
                                 from->index, fmt::underlying(to->stream), to->index));
  }
}

namespace {

void require_stream(const Spool& spool, const std::string& file, std::optional<StreamId> wanted) {
  if (!wanted) return;
  std::vector<std::string> known;
  for (const StreamInfo& stream : spool.streams()) {
    if (stream.id == *wanted) return;
    known.push_back(fmt::to_string(fmt::underlying(stream.id)));
  }
  const std::string has =
      known.empty() ? "it has none" : fmt::format("it has {}", fmt::join(known, ", "));
  throw FileError(file, fmt::format("has no stream {} ({})", fmt::underlying(*wanted), has));
}

}  // namespace

void require_streams(const Spool& spool, const std::string& file,
                     const StreamArguments& arguments) {
  require_stream(spool, file, arguments.stream);
  if (arguments.from) require_stream(spool, file, arguments.from->stream);
  if (arguments.to) require_stream(spool, file, arguments.to->stream);
}

}  // namespace pathspool::cli
