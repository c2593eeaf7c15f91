// gzip, bzip2, zstd and xz behind one face: whole byte arrays in, whole byte arrays out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/bytes.h"
#include "pathspool/spool.h"

namespace pathspool::codec {

// Used by one thread at a time. Keeps what is costly to set up between calls; memory that runs out
// gives std::bad_alloc, after which the object can still be used.
class Compressor {
 public:
  // An input of more than `largest_input_bytes` is our mistake, caught by PATHSPOOL_CHECK.
  explicit Compressor(Codec codec, std::uint64_t largest_input_bytes);
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  [[nodiscard]] base::Bytes compress(base::ByteView raw);

  // The most that one object takes at a time, the returned bytes included, the input not.
  [[nodiscard]] static std::uint64_t memory_bytes(Codec codec, std::uint64_t largest_input_bytes);

  class Engine;  // one codec; internal

 private:
  std::unique_ptr<Engine> engine_;
  std::uint64_t largest_input_bytes_;
};

// Used by one thread at a time.
class Decompressor {
 public:
  explicit Decompressor(Codec codec);
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  // Fills `raw` exactly. Throws Error if `stored` is damaged, holds fewer or more bytes than that,
  // or goes on after its end; `raw` then holds anything. What was flipped inside the stream may go
  // unnoticed: checksums are kept outside, except gzip's and bzip2's own. Whatever `stored` claims,
  // no more than 10 MiB are allocated; std::bad_alloc says that even these were not there.
  void decompress(base::ByteView stored, std::span<std::uint8_t> raw);

  class Engine;  // one codec; internal

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace pathspool::codec
