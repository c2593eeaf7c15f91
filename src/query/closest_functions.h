// Names like the one that somebody meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pathspool/function_table.h"

namespace pathspool::query {

// The closest first, `most` of them at most, as the text form writes them or as people do.
[[nodiscard]] std::vector<std::string> closest_functions(const FunctionTable& functions,
                                                         std::string_view name, std::size_t most);

}  // namespace pathspool::query
