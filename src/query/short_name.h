// A demangled name as people say it: without what the function returns and takes.
#pragma once

#include <string>
#include <string_view>

namespace pathspool::query {

// `ns::work<int>` for `void ns::work<int>(int) const`; without template arguments `ns::work`.
[[nodiscard]] std::string short_name(std::string_view demangled, bool with_template_arguments);

// Whether `name` is the whole or ends it after a `::`.
[[nodiscard]] bool is_or_ends(std::string_view whole, std::string_view name);

}  // namespace pathspool::query
