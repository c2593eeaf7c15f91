// Sizes, stream numbers and positions as they stand on the command line. All are strict (no sign,
// no blanks, no other base than ten) and throw UsageError that names the option.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "pathspool/event.h"

namespace pathspool::cli {

// Bytes, with K, M or G for powers of 1024: `4M`.
[[nodiscard]] std::uint64_t parse_size(std::string_view option, std::string_view text);

[[nodiscard]] std::uint64_t parse_count(std::string_view option, std::string_view text);

[[nodiscard]] StreamId parse_stream(std::string_view option, std::string_view text);

// `S:N`, or `N` for a position whose stream goes without saying.
struct PositionArgument {
  std::optional<StreamId> stream;
  std::uint64_t index = 0;
};
[[nodiscard]] PositionArgument parse_position(std::string_view option, std::string_view text);

}  // namespace pathspool::cli
