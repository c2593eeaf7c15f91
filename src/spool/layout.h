// The fixed parts of a spool file: magic, version, section headers, footer (docs/format.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/checksum.h"

namespace pathspool::spool {

// The line ending and the ^Z show at once when a transfer has mangled the file.
inline constexpr std::array<std::uint8_t, 8> kMagic = {'P', 'S', 'P', 'O', 'O', 'L', '\n', 0x1a};
inline constexpr std::array<std::uint8_t, 8> kEndMagic = {'P', 'S', 'P', 'E', 'N', 'D', '\n', 0x1a};
inline constexpr std::uint16_t kFormatVersion = 1;

inline constexpr std::uint64_t kFileHeaderBytes = 24;
inline constexpr std::uint64_t kSectionHeaderBytes = 40;
inline constexpr std::uint64_t kFooterBytes = 24;

// Four letters, read as a little-endian number.
enum class SectionType : std::uint32_t {};
[[nodiscard]] constexpr SectionType section_type(const char (&letters)[5]) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(letters[i])) << (8 * i);
  }
  return SectionType{value};
}
inline constexpr SectionType kMetadataSection = section_type("META");
inline constexpr SectionType kFunctionsSection = section_type("FUNC");
inline constexpr SectionType kStreamsSection = section_type("STRM");
inline constexpr SectionType kNotesSection = section_type("NOTE");
inline constexpr SectionType kSegmentSection = section_type("SEGM");
inline constexpr SectionType kContentsSection = section_type("CONT");

// Where a section is and how long its parts are. The header's own bytes come before the head.
struct SectionRef {
  SectionType type{};
  std::uint64_t offset_bytes = 0;
  std::uint64_t head_bytes = 0;
  std::uint64_t body_bytes = 0;

  [[nodiscard]] std::uint64_t head_offset_bytes() const {
    return offset_bytes + kSectionHeaderBytes;
  }
  [[nodiscard]] std::uint64_t body_offset_bytes() const { return head_offset_bytes() + head_bytes; }
  [[nodiscard]] std::uint64_t total_bytes() const {
    return kSectionHeaderBytes + head_bytes + body_bytes;
  }
  [[nodiscard]] std::uint64_t end_bytes() const { return offset_bytes + total_bytes(); }

  friend bool operator==(const SectionRef&, const SectionRef&) = default;
};

struct SectionHeader {
  SectionType type{};
  std::uint64_t head_bytes = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t head_checksum = 0;
};

// No part of a file is longer than this, so that sums of lengths never wrap.
inline constexpr std::uint64_t kLongestPartBytes = std::uint64_t{1} << 60;

[[nodiscard]] inline base::Bytes encode_file_header() {
  base::ByteWriter writer;
  writer.bytes(kMagic);
  writer.u16(kFormatVersion);
  writer.u16(0);
  writer.u32(0);
  writer.u64(base::checksum(writer.view()));
  return writer.take();
}

[[nodiscard]] inline base::Bytes encode_section_header(const SectionHeader& header) {
  base::ByteWriter writer;
  writer.u32(static_cast<std::uint32_t>(header.type));
  writer.u32(0);
  writer.u64(header.head_bytes);
  writer.u64(header.body_bytes);
  writer.u64(header.head_checksum);
  writer.u64(base::checksum(writer.view()));
  return writer.take();
}

// None if the bytes are no header: their checksum or a length is wrong.
[[nodiscard]] inline std::optional<SectionHeader> decode_section_header(base::ByteView bytes) {
  base::ByteReader reader(bytes);
  SectionHeader header;
  header.type = SectionType{reader.u32()};
  reader.u32();
  header.head_bytes = reader.u64();
  header.body_bytes = reader.u64();
  header.head_checksum = reader.u64();
  const bool intact = reader.u64() == base::checksum(bytes.first(reader.at() - 8));
  const bool sane = header.head_bytes < kLongestPartBytes && header.body_bytes < kLongestPartBytes;
  if (!reader.done() || !intact || !sane) return std::nullopt;
  return header;
}

[[nodiscard]] inline base::Bytes encode_footer(std::uint64_t contents_offset_bytes) {
  base::ByteWriter writer;
  writer.u64(contents_offset_bytes);
  writer.u64(base::checksum(writer.view()));
  writer.bytes(kEndMagic);
  return writer.take();
}

// The offset of the table of contents; none if the bytes are no footer.
[[nodiscard]] inline std::optional<std::uint64_t> decode_footer(base::ByteView bytes) {
  base::ByteReader reader(bytes);
  const std::uint64_t offset_bytes = reader.u64();
  const bool intact = reader.u64() == base::checksum(bytes.first(8));
  const base::ByteView magic = reader.bytes(kEndMagic.size());
  if (!reader.done() || !intact || !std::equal(magic.begin(), magic.end(), kEndMagic.begin())) {
    return std::nullopt;
  }
  return offset_bytes;
}

}  // namespace pathspool::spool
