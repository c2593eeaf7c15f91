#include "spool/packed.h"

#include "codec/codec.h"
#include "pathspool/error.h"

namespace pathspool::spool {
namespace {

// Below this length compression never pays.
constexpr std::size_t kShortBytes = 24;

}  // namespace

void write_packed(base::ByteWriter& writer, base::ByteView raw) {
  if (raw.size() > kLongestPackedBytes) throw Error("nesting too deep, or too many functions");
  if (raw.size() >= kShortBytes) {
    const base::Bytes stored = codec::Compressor(Codec::zstd, raw.size()).compress(raw);
    if (stored.size() < raw.size()) {
      writer.varint(raw.size());
      writer.varint(stored.size());
      writer.bytes(stored);
      return;
    }
  }
  writer.varint(raw.size());
  writer.varint(0);
  writer.bytes(raw);
}

base::Bytes read_packed(base::ByteReader& reader) {
  const std::uint64_t raw_bytes = reader.varint();
  const std::uint64_t stored_bytes = reader.varint();
  if (raw_bytes > kLongestPackedBytes) reader.fail();
  if (stored_bytes == 0) {
    const base::ByteView raw = reader.bytes(raw_bytes);
    return {raw.begin(), raw.end()};
  }
  const base::ByteView stored = reader.bytes(stored_bytes);
  if (reader.failed()) return {};
  base::Bytes raw(raw_bytes);
  try {
    codec::Decompressor(Codec::zstd).decompress(stored, raw);
  } catch (const Error&) {
    reader.fail();
    return {};
  }
  return raw;
}

}  // namespace pathspool::spool
