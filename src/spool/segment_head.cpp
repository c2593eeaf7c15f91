#include "spool/segment_head.h"

#include "pathspool/error.h"
#include "spool/packed.h"

namespace pathspool::spool {
namespace {

constexpr std::uint8_t kIndexed = 1;

SegmentEntry read_entry(base::ByteReader& reader) {
  SegmentEntry entry;
  entry.stream = StreamId{reader.varint32()};
  entry.first_event = reader.varint();
  entry.events = reader.varint();
  return entry;
}

[[noreturn]] void refuse(const Section& section, const char* what) {
  throw Error(what, section.ref.head_offset_bytes());
}

}  // namespace

base::Bytes encode_segment_head(const SegmentHead& head) {
  base::ByteWriter writer;
  writer.varint(static_cast<std::uint32_t>(head.stream));
  writer.varint(head.first_event);
  writer.varint(head.events);
  writer.u8(static_cast<std::uint8_t>(head.form));
  writer.u8(head.facts.index ? kIndexed : 0);
  writer.varint(head.form_part.size());
  writer.bytes(head.form_part);

  base::ByteWriter facts;
  write_facts(facts, head.facts);
  write_packed(writer, facts.view());
  if (head.facts.index) {
    base::ByteWriter index;
    write_index(index, head.facts);
    write_packed(writer, index.view());
  }
  return writer.take();
}

SegmentHead decode_segment_head(const Section& section, std::uint64_t function_count) {
  base::ByteReader reader(section.content);
  SegmentHead head;
  const SegmentEntry entry = read_entry(reader);
  head.stream = entry.stream;
  head.first_event = entry.first_event;
  head.events = entry.events;
  head.form = Form{reader.u8()};
  const std::uint8_t flags = reader.u8();
  const base::ByteView form_part = reader.bytes(reader.varint());
  head.form_part.assign(form_part.begin(), form_part.end());

  const std::size_t facts_begin = reader.at();
  const base::Bytes facts = read_packed(reader).raw;
  if (reader.failed()) refuse(section, "segment head is malformed");
  base::ByteReader facts_reader(facts);
  head.facts = read_facts(facts_reader, function_count, section.blobs.size());
  if (!facts_reader.done()) refuse(section, "segment's facts are malformed");

  if ((flags & kIndexed) != 0) {
    const base::Bytes index = read_packed(reader).raw;
    head.index_bytes = reader.at() - facts_begin;
    base::ByteReader index_reader(index);
    head.facts.index = read_index(index_reader, head.facts);
    if (!index_reader.done()) refuse(section, "segment's index is malformed");
  }
  if (!reader.done()) refuse(section, "segment head is malformed");
  if (head.facts.events() != head.events || head.events == 0) {
    refuse(section, "segment's event count differs from its chunks'");
  }
  return head;
}

SegmentEntry segment_entry(const Section& section) {
  base::ByteReader reader(section.content);
  const SegmentEntry entry = read_entry(reader);
  if (reader.failed()) refuse(section, "segment head is malformed");
  return entry;
}

}  // namespace pathspool::spool
