// The section of functions: names, source places and control-flow graphs.
#pragma once

#include <cstddef>

#include "pathspool/function_table.h"
#include "spool/section.h"

namespace pathspool::spool {

struct FunctionsDraft {
  SectionDraft section;
  std::size_t end = 0;  // the first function that is not in it
};

// The functions from `first` on, as many as a section takes. A file may have several such sections,
// each going on where the last one ended, all before the first segment that needs them. Throws
// Error at a successor that the function does not have, or a terminator or call of no known kind.
[[nodiscard]] FunctionsDraft draft_functions(const FunctionTable& functions, std::size_t first);

void read_functions(const Section& section, FunctionTable& functions);

}  // namespace pathspool::spool
