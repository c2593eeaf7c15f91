// The checksum of everything in a spool: XXH3, 64 bits, seed 0.
#pragma once

#include <xxhash.h>

#include <cstdint>

#include "base/bytes.h"

namespace pathspool::base {

[[nodiscard]] inline std::uint64_t checksum(ByteView view) {
  return XXH3_64bits(view.data(), view.size());
}

}  // namespace pathspool::base
