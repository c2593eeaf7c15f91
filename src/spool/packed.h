// Byte strings inside a head, compressed where that pays.
#pragma once

#include "base/bytes.h"

namespace pathspool::spool {

// A head's part may unpack to this much and no more, whatever it claims.
inline constexpr std::uint64_t kLongestPackedBytes = std::uint64_t{256} << 20;

void write_packed(base::ByteWriter& writer, base::ByteView raw);

// Fails the reader if the part is damaged or claims too much.
[[nodiscard]] base::Bytes read_packed(base::ByteReader& reader);

}  // namespace pathspool::spool
