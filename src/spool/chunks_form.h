// The part of a segment's head that only form `chunks` has, shared by its encoder and its reader.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "pathspool/pack.h"

namespace pathspool::spool {

struct ChunksForm {
  Codec codec{};
  std::vector<std::uint64_t> raw_bytes;  // of each chunk

  [[nodiscard]] base::Bytes encode() const {
    base::ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(codec));
    writer.varint(raw_bytes.size());
    for (const std::uint64_t length_bytes : raw_bytes) writer.varint(length_bytes);
    return writer.take();
  }

  // Fails the reader if the bytes are malformed.
  [[nodiscard]] static ChunksForm decode(base::ByteReader& reader) {
    ChunksForm form;
    form.codec = Codec{reader.u8()};
    if (form.codec < Codec::gzip || form.codec > Codec::xz) reader.fail();
    form.raw_bytes.resize(reader.count());
    for (std::uint64_t& length_bytes : form.raw_bytes) {
      length_bytes = reader.varint();
      if (length_bytes > kLargestChunkBytes) reader.fail();
    }
    return form;
  }
};

}  // namespace pathspool::spool
