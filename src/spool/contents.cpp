#include "spool/contents.h"

#include <fmt/core.h>

#include <algorithm>

#include "pathspool/error.h"
#include "spool/segment_head.h"

namespace pathspool::spool {
namespace {

Truncation truncated_at(std::uint64_t complete_bytes, std::uint64_t file_bytes,
                        std::uint64_t expected_end_bytes) {
  return {complete_bytes, file_bytes - complete_bytes,
          std::max<std::uint64_t>(expected_end_bytes - file_bytes, 1)};
}

// The footer, if the file ends with one.
std::optional<std::uint64_t> contents_offset(const base::InputFile& file) {
  if (file.size_bytes() < kFileHeaderBytes + kSectionHeaderBytes + kFooterBytes)
    return std::nullopt;
  return decode_footer(file.read(file.size_bytes() - kFooterBytes, kFooterBytes));
}

Contents decode_contents(const Section& table) {
  Contents contents;
  contents.table = table.ref;
  base::ByteReader reader(table.content);
  const std::uint64_t claimed = reader.count(6);
  contents.entries.reserve(claimed);
  std::uint64_t offset_bytes = kFileHeaderBytes;
  for (std::uint64_t i = 0; i < claimed && !reader.failed(); ++i) {
    SectionEntry entry;
    entry.ref.type = SectionType{reader.u32()};
    entry.ref.offset_bytes = offset_bytes;
    entry.ref.head_bytes = reader.varint();
    entry.ref.body_bytes = reader.varint();
    if (entry.ref.head_bytes > kLongestPartBytes || entry.ref.body_bytes > kLongestPartBytes ||
        entry.ref.end_bytes() > table.ref.offset_bytes) {
      reader.fail();
      break;
    }
    if (entry.ref.type == kSegmentSection) {
      entry.segment = {StreamId{reader.varint32()}, reader.varint(), reader.varint()};
    }
    offset_bytes = entry.ref.end_bytes();
    contents.entries.push_back(entry);
  }
  if (!reader.done() || offset_bytes != table.ref.offset_bytes) {
    throw Error("table of contents does not fit the file", table.ref.offset_bytes);
  }
  return contents;
}

}  // namespace

SectionDraft draft_contents(const std::vector<SectionEntry>& entries) {
  base::ByteWriter writer;
  writer.varint(entries.size());
  for (const SectionEntry& entry : entries) {
    writer.u32(static_cast<std::uint32_t>(entry.ref.type));
    writer.varint(entry.ref.head_bytes);
    writer.varint(entry.ref.body_bytes);
    if (entry.segment) {
      writer.varint(static_cast<std::uint32_t>(entry.segment->stream));
      writer.varint(entry.segment->first_event);
      writer.varint(entry.segment->events);
    }
  }
  return {kContentsSection, writer.take(), {}};
}

void check_file_header(const base::InputFile& file) {
  const base::Bytes wanted = encode_file_header();
  const std::uint64_t length_bytes = std::min<std::uint64_t>(file.size_bytes(), kFileHeaderBytes);
  const base::Bytes found = file.read(0, length_bytes);
  const std::size_t magic_bytes = std::min(found.size(), kMagic.size());
  if (found.empty()) throw Error("not a spool: the file is empty");
  if (!std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(magic_bytes),
                  kMagic.begin())) {
    throw Error("not a spool: it does not begin as one", 0);
  }
  if (found.size() < kFileHeaderBytes) return;  // cut off inside the header: nothing else to check
  base::ByteReader reader(found);
  reader.bytes(kMagic.size());
  const std::uint16_t version = reader.u16();
  reader.bytes(6);
  if (reader.u64() != base::checksum(base::ByteView(found).first(16))) {
    throw Error("file header is damaged: its checksum is wrong", 0);
  }
  if (version != kFormatVersion) {
    throw Error(fmt::format("format version {} is not one that this program reads ({})", version,
                            kFormatVersion),
                kMagic.size());
  }
}

Contents read_contents(const base::InputFile& file) {
  check_file_header(file);
  const std::optional<std::uint64_t> offset_bytes = contents_offset(file);
  if (!offset_bytes) return walk_contents(file);
  const std::uint64_t table_end_bytes = file.size_bytes() - kFooterBytes;
  if (*offset_bytes < kFileHeaderBytes || *offset_bytes > table_end_bytes - kSectionHeaderBytes) {
    throw Error("footer points outside the file", table_end_bytes);
  }
  const auto header = decode_section_header(file.read(*offset_bytes, kSectionHeaderBytes));
  if (!header || header->type != kContentsSection) {
    throw Error("table of contents is damaged", *offset_bytes);
  }
  const SectionRef ref{kContentsSection, *offset_bytes, header->head_bytes, header->body_bytes};
  if (ref.end_bytes() != table_end_bytes) {
    throw Error("table of contents does not fit the file", *offset_bytes);
  }
  return decode_contents(read_section(file, ref));
}

Contents walk_contents(const base::InputFile& file) {
  Contents contents;
  const std::uint64_t size_bytes = file.size_bytes();
  if (size_bytes < kFileHeaderBytes) {
    contents.truncation = truncated_at(0, size_bytes, kFileHeaderBytes);
    return contents;
  }
  std::uint64_t at = kFileHeaderBytes;
  while (true) {
    if (contents.table) break;
    if (size_bytes - at < kSectionHeaderBytes) {
      contents.truncation = truncated_at(at, size_bytes, at + kSectionHeaderBytes);
      return contents;
    }
    const auto header = decode_section_header(file.read(at, kSectionHeaderBytes));
    if (!header) {
      contents.damage = {"section header is damaged: nothing after it can be read", at};
      return contents;
    }
    const SectionRef ref{header->type, at, header->head_bytes, header->body_bytes};
    if (ref.end_bytes() > size_bytes) {
      contents.truncation = truncated_at(at, size_bytes, ref.end_bytes());
      return contents;
    }
    at = ref.end_bytes();
    if (ref.type == kContentsSection) {
      contents.table = ref;
    } else if (ref.type == kSegmentSection) {
      try {
        contents.entries.push_back({ref, segment_entry(read_section(file, ref))});
      } catch (const Error& error) {
        contents.damage = {error.what(), error.offset_bytes().value_or(ref.offset_bytes)};
        return contents;
      }
    } else {
      contents.entries.push_back({ref, std::nullopt});
    }
  }

  const std::uint64_t left = size_bytes - at;
  if (left < kFooterBytes) {
    contents.truncation = truncated_at(at, size_bytes, at + kFooterBytes);
  } else if (decode_footer(file.read(at, kFooterBytes)) != contents.table->offset_bytes) {
    contents.damage = {"footer is damaged", at};
  } else if (left > kFooterBytes) {
    contents.damage = {"the spool ends here, but the file goes on", at + kFooterBytes};
  }
  return contents;
}

}  // namespace pathspool::spool
