// The small sections: what is known of the run, its streams, notes.
#pragma once

#include <vector>

#include "pathspool/spool.h"
#include "spool/section.h"

namespace pathspool::spool {

[[nodiscard]] SectionDraft draft_metadata(const Metadata& metadata);
void read_metadata(const Section& section, Metadata& metadata);

[[nodiscard]] SectionDraft draft_streams(const std::vector<StreamInfo>& streams);
void read_streams(const Section& section, std::vector<StreamInfo>& streams);
// After the last of them: by rising number. Throws Error if a number occurs twice.
void sort_streams(std::vector<StreamInfo>& streams);

[[nodiscard]] SectionDraft draft_notes(const std::vector<Note>& notes);
void read_notes(const Section& section, std::vector<Note>& notes);

}  // namespace pathspool::spool
