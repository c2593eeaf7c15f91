// Sections: a head that is read whole, and a body of blobs that are read one by one.
//
// The section's header holds the head's checksum and the head holds each blob's, so that every byte
// is covered and yet a reader verifies only what it reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "spool/layout.h"

namespace pathspool::spool {

struct SectionDraft {
  SectionType type{};
  base::Bytes content;  // the part of the head that is the section's own
  std::vector<base::Bytes> blobs;
};

// Appends the section to the file and returns where it is.
SectionRef write_section(base::OutputFile& file, const SectionDraft& draft);

struct BlobRef {
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::uint64_t checksum = 0;
};

struct Section {
  SectionRef ref;
  std::vector<BlobRef> blobs;
  base::Bytes content;
};

// Reads and verifies the section's header and head. Throws Error if they are damaged or not what
// `ref` says.
[[nodiscard]] Section read_section(const base::InputFile& file, const SectionRef& ref);

// Reads and verifies one blob.
[[nodiscard]] base::Bytes read_blob(const base::InputFile& file, const BlobRef& blob);

// The type's letters, or dots where they are not printable.
[[nodiscard]] std::string name_of(SectionType type);

}  // namespace pathspool::spool
