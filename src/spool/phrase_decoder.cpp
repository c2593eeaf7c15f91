#include "spool/phrase_decoder.h"

#include "pathspool/error.h"
#include "spool/packed.h"
#include "spool/phrase_coding.h"

namespace pathspool::spool {
namespace {

// Fails the reader if it is no event.
Event decode_event(base::ByteReader& reader, std::uint64_t function_count,
                   std::uint32_t& last_block) {
  const std::uint64_t code = reader.varint();
  if (code == 0) return Event::exit();
  if (code % 2 == 0) {
    const std::uint64_t function = code / 2 - 1;
    if (function >= function_count) reader.fail();
    return Event::enter(FunctionId{static_cast<std::uint32_t>(function)});
  }
  const std::uint64_t id = last_block + static_cast<std::uint64_t>(base::unzigzag(code / 2));
  if (id == 0 || id > UINT32_MAX) reader.fail();
  last_block = static_cast<std::uint32_t>(id);
  return Event::block(BlockId{last_block});
}

[[noreturn]] void refuse() { throw Error("dictionary of phrases is malformed"); }

}  // namespace

PhraseTable decode_phrases(base::ByteView bytes, std::uint64_t claimed_phrases,
                           std::uint64_t function_count) {
  base::ByteReader packed(bytes);
  const Unpacked unpacked = read_packed(packed);
  if (!packed.done()) refuse();
  base::ByteReader reader(unpacked.raw);
  base::ByteReader contexts(reader.bytes(reader.varint()));
  const base::ByteView lengths = reader.bytes(claimed_phrases);
  if (reader.failed()) refuse();
  PhraseTable table;
  table.begin.reserve(lengths.size() + 1);
  table.contexts.reserve(lengths.size());
  std::uint64_t count = 0;
  for (const std::uint8_t length : lengths) count += length;
  if (count > reader.left()) refuse();
  table.events.resize(count);
  Event* next = table.events.data();
  std::uint64_t context = 0;
  for (const std::uint8_t length : lengths) {
    context += static_cast<std::uint64_t>(contexts.signed_varint());
    if (length == 0 || length > kLongestPhrase || context > function_count) refuse();
    std::uint32_t last_block = 0;
    for (std::size_t i = 0; i < length; ++i) {
      *next++ = decode_event(reader, function_count, last_block);
    }
    table.begin.push_back(static_cast<std::uint32_t>(next - table.events.data()));
    table.contexts.push_back(
        context == 0 ? std::nullopt
                     : std::optional(FunctionId{static_cast<std::uint32_t>(context - 1)}));
  }
  if (!reader.done() || !contexts.done()) refuse();
  return table;
}

}  // namespace pathspool::spool
