// Which sections a file has: from its table of contents or, if it ends early, by walking it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/file.h"
#include "pathspool/spool.h"
#include "spool/layout.h"
#include "spool/section.h"

namespace pathspool::spool {

// What the table of contents says of a segment, so that opening a file reads no segment.
struct SegmentEntry {
  StreamId stream{};
  std::uint64_t first_event = 0;
  std::uint64_t events = 0;

  friend bool operator==(const SegmentEntry&, const SegmentEntry&) = default;
};

struct SectionEntry {
  SectionRef ref;
  std::optional<SegmentEntry> segment;  // of segment sections

  friend bool operator==(const SectionEntry&, const SectionEntry&) = default;
};

// The sections in file order, the table of contents itself not among them.
struct Contents {
  std::vector<SectionEntry> entries;
  std::optional<SectionRef> table;       // none if the file ends before it
  std::optional<Truncation> truncation;  // the file is a proper prefix of a whole one
  std::optional<Problem> damage;         // where walking the file had to stop
};

[[nodiscard]] SectionDraft draft_contents(const std::vector<SectionEntry>& entries);

// Throws Error if the file is no spool or of a version that this program does not know.
void check_file_header(const base::InputFile& file);

// By the table of contents if the file ends with a footer, otherwise by walking it. Throws Error if
// the table is damaged.
[[nodiscard]] Contents read_contents(const base::InputFile& file);

// By walking the file from section to section, whatever its end says.
[[nodiscard]] Contents walk_contents(const base::InputFile& file);

}  // namespace pathspool::spool
