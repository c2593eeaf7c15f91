// What somebody who mistyped a name probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pathspool::cli {

// The name that the fewest insertions, deletions, replacements and swaps of neighbours turn
// `mistyped` into; the earliest of several. There must be one name at least.
[[nodiscard]] std::string closest_name(std::string_view mistyped,
                                       std::span<const std::string> names);

}  // namespace pathspool::cli
