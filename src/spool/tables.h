// The small sections: what is known of the run, its functions, its streams.
#pragma once

#include <cstddef>
#include <vector>

#include "pathspool/function_table.h"
#include "pathspool/spool.h"
#include "spool/section.h"

namespace pathspool::spool {

[[nodiscard]] SectionDraft draft_metadata(const Metadata& metadata);
void read_metadata(const Section& section, Metadata& metadata);

// The functions from `first` on. A file may have several such sections, each going on where the
// last one ended, all before the first segment that needs them.
[[nodiscard]] SectionDraft draft_functions(const FunctionTable& functions, std::size_t first);
void read_functions(const Section& section, FunctionTable& functions);

[[nodiscard]] SectionDraft draft_streams(const std::vector<StreamInfo>& streams);
void read_streams(const Section& section, std::vector<StreamInfo>& streams);
// After the last of them: by rising number. Throws Error if a number occurs twice.
void sort_streams(std::vector<StreamInfo>& streams);

}  // namespace pathspool::spool
