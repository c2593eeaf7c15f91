#include "spool/packed.h"

#include <algorithm>

#include "codec/codec.h"
#include "pathspool/error.h"

namespace pathspool::spool {
namespace {

// Below this length compression never pays.
constexpr std::size_t kShortBytes = 24;

}  // namespace

void write_packed(base::ByteWriter& writer, base::ByteView raw, std::uint64_t least_stored_bytes) {
  if (raw.size() > kLongestPackedBytes) throw Error("nesting too deep, or too many functions");
  const bool too_short = raw.size() < least_stored_bytes;  // only what is compressed has padding
  least_stored_bytes = std::max(least_stored_bytes, raw.size() / kMostPackedRatio + 1);
  writer.varint(raw.size());
  if (raw.size() >= kShortBytes || too_short) {
    base::Bytes stored = codec::Compressor(Codec::zstd, raw.size()).compress(raw);
    const std::uint64_t padding_bytes =
        least_stored_bytes > stored.size() ? least_stored_bytes - stored.size() : 0;
    if (stored.size() + padding_bytes < raw.size() || too_short) {
      writer.varint(stored.size());
      writer.varint(padding_bytes);
      writer.bytes(stored);
      writer.bytes(base::Bytes(padding_bytes));
      return;
    }
  }
  writer.varint(0);
  writer.bytes(raw);
}

Unpacked read_packed(base::ByteReader& reader) {
  const std::uint64_t raw_bytes = reader.varint();
  const std::uint64_t stored_bytes = reader.varint();
  if (raw_bytes > kLongestPackedBytes) reader.fail();
  if (stored_bytes == 0) {
    const base::ByteView raw = reader.bytes(raw_bytes);
    return {{raw.begin(), raw.end()}, raw.size()};
  }
  const std::uint64_t padding_bytes = reader.varint();
  const base::ByteView stored = reader.bytes(stored_bytes);
  const std::uint64_t taken_bytes = stored.size() + reader.bytes(padding_bytes).size();
  if (raw_bytes > kMostPackedRatio * taken_bytes) reader.fail();
  if (reader.failed()) return {};
  Unpacked unpacked{base::Bytes(raw_bytes), taken_bytes};
  try {
    codec::Decompressor(Codec::zstd).decompress(stored, unpacked.raw);
  } catch (const Error&) {
    reader.fail();
    return {};
  }
  return unpacked;
}

}  // namespace pathspool::spool
