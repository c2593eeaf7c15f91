#include "spool/grammar_form.h"

namespace pathspool::spool {

base::Bytes GrammarForm::encode() const {
  base::ByteWriter writer;
  writer.u8(static_cast<std::uint8_t>(symbols));
  writer.varint(phrases);
  writer.varint(blocks);
  writer.varint(chunks.size());
  for (const StartChunk& chunk : chunks) writer.varint(chunk.symbols);
  return writer.take();
}

GrammarForm GrammarForm::decode(base::ByteReader& reader) {
  GrammarForm form;
  form.symbols = Symbols{reader.u8()};
  if (form.symbols != Symbols::blocks && form.symbols != Symbols::segments) reader.fail();
  form.phrases = reader.varint();
  form.blocks = reader.varint();
  form.chunks.resize(reader.count());
  for (StartChunk& chunk : form.chunks) chunk.symbols = reader.varint32();
  return form;
}

grammar::Measure measure_of(std::span<const Event> events) {
  grammar::Measure measure;
  for (const Event& event : events) {
    ++measure.length;
    if (event.kind == EventKind::enter) {
      ++measure.pushes;
    } else if (event.kind == EventKind::exit) {
      if (measure.pushes > 0) {
        --measure.pushes;
      } else {
        ++measure.pops;
      }
    }
  }
  return measure;
}

}  // namespace pathspool::spool
