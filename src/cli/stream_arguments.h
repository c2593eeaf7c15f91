// Which part of a spool's streams a verb is to look at.
#pragma once

#include <optional>
#include <string>

#include "cli/number_arguments.h"
#include "pathspool/spool.h"

namespace pathspool::cli {

struct StreamArguments {
  std::optional<StreamId> stream;
  std::optional<PositionArgument> from;
  std::optional<PositionArgument> to;

  // `N` alone is in the stream that --stream names, or in stream 0.
  [[nodiscard]] Position resolved(const PositionArgument& position) const;
  [[nodiscard]] std::optional<Position> resolved_from() const;
  [[nodiscard]] std::optional<Position> resolved_to() const;
};

// Throws UsageError if --from is after --to.
void require_order(const StreamArguments& arguments);

// Throws FileError if the spool does not have a stream that the arguments name.
void require_streams(const Spool& spool, const std::string& file, const StreamArguments& arguments);

}  // namespace pathspool::cli
