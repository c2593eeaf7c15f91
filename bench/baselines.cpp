#include "baselines.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <bit>
#include <memory>

#include "pathspool/error.h"

namespace pathspool::bench {
namespace {

static_assert(std::endian::native == std::endian::little, "symbols are compressed as they lie");

// Room for the output, untouched until it is written to.
struct Room {
  explicit Room(std::size_t size)
      : bytes(std::make_unique_for_overwrite<std::uint8_t[]>(size)), size_bytes(size) {}
  std::unique_ptr<std::uint8_t[]> bytes;
  std::size_t size_bytes;
};

}  // namespace

std::uint64_t xz_bytes(ByteSpan raw, std::uint32_t preset) {
  const Room room(lzma_stream_buffer_bound(raw.size()));
  std::size_t written = 0;
  if (lzma_easy_buffer_encode(preset, LZMA_CHECK_CRC64, nullptr, raw.data(), raw.size(),
                              room.bytes.get(), &written, room.size_bytes) != LZMA_OK) {
    throw Error("xz failed");
  }
  return written;
}

std::uint64_t zstd_bytes(ByteSpan raw, int level) {
  const Room room(ZSTD_compressBound(raw.size()));
  const std::size_t written =
      ZSTD_compress(room.bytes.get(), room.size_bytes, raw.data(), raw.size(), level);
  if (ZSTD_isError(written) != 0) throw Error("zstd failed");
  return written;
}

std::uint64_t bzip2_bytes(ByteSpan raw, int level) {
  // The bound that bzip2's manual gives.
  const Room room(raw.size() + raw.size() / 100 + 601);
  auto written = static_cast<unsigned>(room.size_bytes);
  // The library's interface is older than const.
  auto* const source = const_cast<char*>(reinterpret_cast<const char*>(raw.data()));
  if (BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(room.bytes.get()), &written, source,
                               static_cast<unsigned>(raw.size()), level, 0, 0) != BZ_OK) {
    throw Error("bzip2 failed");
  }
  return written;
}

std::uint64_t gzip_bytes(ByteSpan raw, int level) {
  constexpr int kGzipWindow = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("gzip failed");
  }
  const Room room(deflateBound(&stream, static_cast<uLong>(raw.size())));
  stream.next_in = const_cast<Bytef*>(raw.data());
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = room.bytes.get();
  stream.avail_out = static_cast<uInt>(room.size_bytes);
  const int status = deflate(&stream, Z_FINISH);
  const std::uint64_t written = stream.total_out;
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("gzip failed");
  return written;
}

}  // namespace pathspool::bench
