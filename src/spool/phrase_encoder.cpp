#include "spool/phrase_encoder.h"

#include "spool/packed.h"
#include "spool/phrase_coding.h"

namespace pathspool::spool {

base::Bytes encode_phrases(const PhraseTable& phrases) {
  base::ByteWriter contexts;
  base::ByteWriter lengths;
  base::ByteWriter events;
  std::int64_t last_context = 0;
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    const std::optional<FunctionId> function = phrases.contexts[i];
    const std::int64_t context =
        function ? std::int64_t{static_cast<std::uint32_t>(*function)} + 1 : 0;
    contexts.signed_varint(context - last_context);
    last_context = context;
    lengths.u8(static_cast<std::uint8_t>(phrases[i].size()));
    std::uint32_t last_block = 0;
    for (const Event& event : phrases[i]) {
      events.varint(phrase_event_code(event, last_block));
      if (event.kind == EventKind::block) last_block = event.id;
    }
  }
  base::ByteWriter raw;
  raw.varint(contexts.size());
  raw.bytes(contexts.view());
  raw.bytes(lengths.view());
  raw.bytes(events.view());
  base::ByteWriter writer;
  write_packed(writer, raw.view());
  return writer.take();
}

}  // namespace pathspool::spool
