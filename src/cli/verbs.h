// Which verbs there are.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/verb.h"

namespace pathspool::cli {

// The verbs of this version, in the order in which help lists them.
[[nodiscard]] std::span<const Verb* const> verbs();

// Null if this version has no such verb.
[[nodiscard]] const Verb* find_verb(std::string_view name);

// Why there is no verb of this name: it belongs to another version, or it is a mistake.
[[nodiscard]] std::string unknown_verb_message(std::string_view name);

}  // namespace pathspool::cli
