// A spool taken apart into its sections and put together again with the right checksums: for tests
// that change what a file says and not whether its checksums hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "spool/layout.h"

namespace pathspool::testing {

struct RawSection {
  spool::SectionType type{};
  base::Bytes content;
  std::vector<base::Bytes> blobs;

  friend bool operator==(const RawSection&, const RawSection&) = default;
};

// The sections of a whole file, the table of contents among them; none if the bytes are none. Looks
// at no checksum: a fuzzer's input has none that are right.
[[nodiscard]] inline std::optional<std::vector<RawSection>> take_apart(base::ByteView file) {
  base::ByteReader reader(file);
  reader.bytes(spool::kFileHeaderBytes);
  std::vector<RawSection> sections;
  while (reader.left() >= spool::kSectionHeaderBytes) {
    RawSection section;
    section.type = spool::SectionType{reader.u32()};
    reader.u32();
    const std::uint64_t head_bytes = reader.u64();
    const std::uint64_t body_bytes = reader.u64();
    reader.bytes(16);
    base::ByteReader head(reader.bytes(head_bytes));
    base::ByteReader body(reader.bytes(body_bytes));
    const std::uint64_t blobs = head.count(9);
    for (std::uint64_t i = 0; i < blobs && !head.failed(); ++i) {
      const base::ByteView blob = body.bytes(head.varint());
      head.u64();
      section.blobs.emplace_back(blob.begin(), blob.end());
    }
    const base::ByteView content = head.bytes(head.left());
    section.content.assign(content.begin(), content.end());
    if (reader.failed() || !head.done() || !body.done()) return std::nullopt;
    sections.push_back(std::move(section));
  }
  if (reader.failed() || reader.left() != spool::kFooterBytes) return std::nullopt;
  return sections;
}

[[nodiscard]] inline base::Bytes section_bytes(const RawSection& section) {
  base::ByteWriter head;
  head.varint(section.blobs.size());
  std::uint64_t body_bytes = 0;
  for (const base::Bytes& blob : section.blobs) {
    head.varint(blob.size());
    head.u64(base::checksum(blob));
    body_bytes += blob.size();
  }
  head.bytes(section.content);
  base::ByteWriter writer;
  writer.bytes(spool::encode_section_header(
      {section.type, head.size(), body_bytes, base::checksum(head.view())}));
  writer.bytes(head.view());
  for (const base::Bytes& blob : section.blobs) writer.bytes(blob);
  return writer.take();
}

// The table that belongs to these sections. A segment's content begins with what the table repeats
// of it.
[[nodiscard]] inline RawSection table_of(const std::vector<RawSection>& sections) {
  base::ByteWriter writer;
  writer.varint(sections.size());
  for (const RawSection& section : sections) {
    const auto header = spool::decode_section_header(
        base::ByteView(section_bytes(section)).first(spool::kSectionHeaderBytes));
    writer.u32(static_cast<std::uint32_t>(section.type));
    writer.varint(header->head_bytes);
    writer.varint(header->body_bytes);
    if (section.type == spool::kSegmentSection) {
      base::ByteReader reader(section.content);
      for (int i = 0; i < 3; ++i) writer.varint(reader.varint());
    }
  }
  return {spool::kContentsSection, writer.take(), {}};
}

// The last section is the table of contents.
[[nodiscard]] inline base::Bytes put_together(const std::vector<RawSection>& sections) {
  base::ByteWriter writer;
  writer.bytes(spool::encode_file_header());
  std::uint64_t last_offset_bytes = 0;
  for (const RawSection& section : sections) {
    last_offset_bytes = writer.size();
    writer.bytes(section_bytes(section));
  }
  writer.bytes(spool::encode_footer(last_offset_bytes));
  return writer.take();
}
[[nodiscard]] inline base::Bytes put_together_with_table(std::vector<RawSection> sections) {
  sections.push_back(table_of(sections));
  return put_together(sections);
}

}  // namespace pathspool::testing
