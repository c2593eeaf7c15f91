// JSON as all verbs print it. Its fields are documented in docs/json.md and only ever added to.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pathspool/spool.h"

namespace pathspool::cli {

// Keys stay in the order in which they were given.
using Json = nlohmann::ordered_json;

// On one line. Bytes that are no UTF-8, as a name may hold, become U+FFFD.
[[nodiscard]] std::string compact(const Json& json);

// Indented, to standard output, with a newline at the end.
void write_json(const Json& json);

// Null where there is none.
[[nodiscard]] Json json_of(const std::optional<Truncation>& truncation);

}  // namespace pathspool::cli
