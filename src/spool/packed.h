// Byte strings inside a head, compressed where that pays.
#pragma once

#include "base/bytes.h"

namespace pathspool::spool {

// A head's part may unpack to this much and no more, whatever it claims.
inline constexpr std::uint64_t kLongestPackedBytes = std::uint64_t{256} << 20;
// Nor to more than so many bytes for each byte that it takes in the file: where compression does
// better, the writer pads. So a small file cannot ask for much memory.
inline constexpr std::uint64_t kMostPackedRatio = 64;

// With at least `least_stored_bytes` in the file.
void write_packed(base::ByteWriter& writer, base::ByteView raw,
                  std::uint64_t least_stored_bytes = 0);

struct Unpacked {
  base::Bytes raw;
  std::uint64_t stored_bytes = 0;
};

// Fails the reader if the part is damaged or claims too much.
[[nodiscard]] Unpacked read_packed(base::ByteReader& reader);

}  // namespace pathspool::spool
