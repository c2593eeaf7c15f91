#include "spool/section.h"

#include <fmt/core.h>

#include "base/checksum.h"
#include "pathspool/error.h"

namespace pathspool::spool {

SectionRef write_section(base::OutputFile& file, const SectionDraft& draft) {
  base::ByteWriter head;
  head.varint(draft.blobs.size());
  std::uint64_t body_bytes = 0;
  for (const base::Bytes& blob : draft.blobs) {
    head.varint(blob.size());
    head.u64(base::checksum(blob));
    body_bytes += blob.size();
  }
  head.bytes(draft.content);

  const SectionRef ref{draft.type, file.size_bytes(), head.size(), body_bytes};
  file.write(encode_section_header(
      {draft.type, ref.head_bytes, ref.body_bytes, base::checksum(head.view())}));
  file.write(head.view());
  for (const base::Bytes& blob : draft.blobs) file.write(blob);
  file.mark_complete();
  return ref;
}

Section read_section(const base::InputFile& file, const SectionRef& ref) {
  const auto header = decode_section_header(file.read(ref.offset_bytes, kSectionHeaderBytes));
  if (!header) throw Error("section header is damaged", ref.offset_bytes);
  if (header->type != ref.type || header->head_bytes != ref.head_bytes ||
      header->body_bytes != ref.body_bytes) {
    throw Error("section differs from the table of contents", ref.offset_bytes);
  }
  Section section{ref, {}, file.read(ref.head_offset_bytes(), ref.head_bytes)};
  if (base::checksum(section.content) != header->head_checksum) {
    throw Error(
        fmt::format("head of section {} is damaged: its checksum is wrong", name_of(ref.type)),
        ref.head_offset_bytes());
  }

  base::ByteReader reader(section.content);
  const std::uint64_t blob_count = reader.count(9);
  section.blobs.reserve(blob_count);
  std::uint64_t offset_bytes = ref.body_offset_bytes();
  for (std::uint64_t i = 0; i < blob_count; ++i) {
    BlobRef blob{offset_bytes, reader.varint(), reader.u64()};
    if (blob.length_bytes > ref.end_bytes() - offset_bytes) reader.fail();
    if (reader.failed()) break;
    offset_bytes += blob.length_bytes;
    section.blobs.push_back(blob);
  }
  if (reader.failed() || offset_bytes != ref.end_bytes()) {
    throw Error(fmt::format("head of section {} lists parts that do not fit it", name_of(ref.type)),
                ref.head_offset_bytes());
  }
  section.content.erase(section.content.begin(),
                        section.content.begin() + static_cast<std::ptrdiff_t>(reader.at()));
  return section;
}

base::Bytes read_blob(const base::InputFile& file, const BlobRef& blob) {
  base::Bytes bytes = file.read(blob.offset_bytes, blob.length_bytes);
  if (base::checksum(bytes) != blob.checksum) {
    throw Error("data is damaged: its checksum is wrong", blob.offset_bytes);
  }
  return bytes;
}

std::string name_of(SectionType type) {
  std::string letters;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const char letter = static_cast<char>((static_cast<std::uint32_t>(type) >> shift) & 0xff);
    letters += letter > ' ' && letter <= '~' ? letter : '.';
  }
  return letters;
}

}  // namespace pathspool::spool
