// What the same events take under general compressors, whole, at the settings of their command
// lines.
#pragma once

#include <cstdint>
#include <span>

namespace pathspool::bench {

using ByteSpan = std::span<const std::uint8_t>;

// Each returns the compressed size in bytes.
[[nodiscard]] std::uint64_t xz_bytes(ByteSpan raw, std::uint32_t preset);
[[nodiscard]] std::uint64_t zstd_bytes(ByteSpan raw, int level);
[[nodiscard]] std::uint64_t bzip2_bytes(ByteSpan raw, int level);
[[nodiscard]] std::uint64_t gzip_bytes(ByteSpan raw, int level);

template <typename Symbol>
[[nodiscard]] ByteSpan bytes_of(const Symbol& symbols) {
  return {reinterpret_cast<const std::uint8_t*>(symbols.data()),
          symbols.size() * sizeof(symbols[0])};
}

}  // namespace pathspool::bench
