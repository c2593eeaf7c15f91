#include "codec/codec.h"

#include <bzlib.h>
#include <lzma.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "base/check.h"
#include "pathspool/error.h"

namespace pathspool::codec {

class Compressor::Engine {
 public:
  virtual ~Engine() = default;
  // Writes into `stored`, which has room for the worst case, and says how many bytes.
  virtual std::size_t compress(base::ByteView raw, std::span<std::uint8_t> stored) = 0;

  // Output is made here and then copied to an array of the right size: chunks waiting to be written
  // would otherwise each hold the room for the worst case.
  std::unique_ptr<std::uint8_t[]> scratch;
  std::size_t scratch_bytes = 0;
};

class Decompressor::Engine {
 public:
  virtual ~Engine() = default;
  virtual void decompress(base::ByteView stored, std::span<std::uint8_t> raw) = 0;
};

namespace {

constexpr std::uint64_t kMebi = 1 << 20;

[[noreturn]] void throw_damaged(const char* name) {
  throw Error(std::string("damaged ") + name + " data");
}
[[noreturn]] void throw_too_short(const char* name) {
  throw Error(std::string(name) + " data holds fewer bytes than claimed");
}
[[noreturn]] void throw_too_long(const char* name) {
  throw Error(std::string(name) + " data holds more bytes than claimed");
}
[[noreturn]] void throw_trailing(const char* name) {
  throw Error(std::string("bytes after the end of ") + name + " data");
}

// The number may come from a file.
[[noreturn]] void throw_unknown(Codec codec) {
  throw Error("unknown codec " + std::to_string(static_cast<unsigned>(codec)));
}

// ---- zlib, libbz2 and liblzma have the same shape: a stream given pieces of input and output.

struct Pumped {
  bool ended = false;  // the stream said that it is complete
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
};

// Runs the stream until it ends, has no room left, or lacks input. `run(last)` makes one library
// call, where `last` says that no input follows, and gives true at the stream's end. It is never
// called without room, which zlib would take for an error.
template <typename Stream, typename Run>
Pumped pump(Stream& stream, base::ByteView in, std::span<std::uint8_t> out, Run run) {
  constexpr std::size_t kPieceBytes = 1 << 30;  // zlib and libbz2 count with 32 bits
  Pumped pumped;
  while (pumped.written_bytes < out.size()) {
    const auto in_piece =
        in.subspan(pumped.read_bytes).first(std::min(kPieceBytes, in.size() - pumped.read_bytes));
    const auto out_piece = out.subspan(pumped.written_bytes)
                               .first(std::min(kPieceBytes, out.size() - pumped.written_bytes));
    stream.next_in =
        reinterpret_cast<decltype(stream.next_in)>(const_cast<std::uint8_t*>(in_piece.data()));
    stream.avail_in = static_cast<unsigned>(in_piece.size());
    stream.next_out = reinterpret_cast<decltype(stream.next_out)>(out_piece.data());
    stream.avail_out = static_cast<unsigned>(out_piece.size());
    pumped.ended = run(pumped.read_bytes + in_piece.size() == in.size());
    const std::size_t read_bytes = in_piece.size() - stream.avail_in;
    const std::size_t written_bytes = out_piece.size() - stream.avail_out;
    pumped.read_bytes += read_bytes;
    pumped.written_bytes += written_bytes;
    if (pumped.ended || (read_bytes == 0 && written_bytes == 0)) break;
  }
  return pumped;
}

template <typename Stream, typename Run>
void pump_exactly(const char* name, Stream& stream, base::ByteView stored,
                  std::span<std::uint8_t> raw, Run run) {
  const auto run_to_end = [&](bool) { return run(); };
  Pumped pumped = pump(stream, stored, raw, run_to_end);
  if (!pumped.ended && pumped.written_bytes == raw.size()) {
    // The stream's end may follow: there is room for one byte more, which must not be used.
    std::uint8_t spare = 0;
    const Pumped rest =
        pump(stream, stored.subspan(pumped.read_bytes), std::span(&spare, 1), run_to_end);
    if (rest.written_bytes != 0) throw_too_long(name);
    pumped.ended = rest.ended;
    pumped.read_bytes += rest.read_bytes;
  }
  if (!pumped.ended) throw_damaged(name);  // cut short
  if (pumped.written_bytes != raw.size()) throw_too_short(name);
  if (pumped.read_bytes != stored.size()) throw_trailing(name);
}

// ---- gzip

constexpr int kGzipLevel = 6;
constexpr int kGzipWindowBits = 15 + 16;  // 32 KiB; 16 asks for gzip's wrapper

void require_zlib(int status) {
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  PATHSPOOL_CHECK(status == Z_OK);
}

class GzipCompressor final : public Compressor::Engine {
 public:
  GzipCompressor() {
    constexpr int kDefaultMemoryLevel = 8;
    require_zlib(deflateInit2(&stream_, kGzipLevel, Z_DEFLATED, kGzipWindowBits,
                              kDefaultMemoryLevel, Z_DEFAULT_STRATEGY));
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }

  std::size_t compress(base::ByteView raw, std::span<std::uint8_t> stored) override {
    require_zlib(deflateReset(&stream_));
    const Pumped pumped = pump(stream_, raw, stored, [&](bool last) {
      const int status = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      PATHSPOOL_CHECK(status == Z_OK || status == Z_STREAM_END);
      return status == Z_STREAM_END;
    });
    PATHSPOOL_CHECK(pumped.ended);
    return pumped.written_bytes;
  }

 private:
  z_stream stream_{};
};

class GzipDecompressor final : public Decompressor::Engine {
 public:
  GzipDecompressor() { require_zlib(inflateInit2(&stream_, kGzipWindowBits)); }
  ~GzipDecompressor() override { inflateEnd(&stream_); }

  void decompress(base::ByteView stored, std::span<std::uint8_t> raw) override {
    require_zlib(inflateReset(&stream_));
    pump_exactly("gzip", stream_, stored, raw, [&] {
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      // Z_BUF_ERROR only says that nothing moved, which the caller sees for itself.
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) throw_damaged("gzip");
      return status == Z_STREAM_END;
    });
  }

 private:
  z_stream stream_{};
};

// ---- bzip2: its streams cannot be reset, so each call makes its own.

void require_bzip2(int status) {
  if (status == BZ_MEM_ERROR) throw std::bad_alloc();
  PATHSPOOL_CHECK(status == BZ_OK);
}

// Level n sorts blocks of n x 100,000 bytes: the best level is the first whose block holds the
// input.
constexpr std::uint64_t kBzip2BlockBytes = 100'000;
int bzip2_level(std::uint64_t input_bytes) {
  return static_cast<int>(std::min<std::uint64_t>(input_bytes / kBzip2BlockBytes + 1, 9));
}

class Bzip2Compressor final : public Compressor::Engine {
 public:
  std::size_t compress(base::ByteView raw, std::span<std::uint8_t> stored) override {
    const int level = bzip2_level(raw.size());
    constexpr int kQuiet = 0;
    constexpr int kDefaultWorkFactor = 0;
    bz_stream stream{};
    require_bzip2(BZ2_bzCompressInit(&stream, level, kQuiet, kDefaultWorkFactor));
    const std::unique_ptr<bz_stream, decltype(&BZ2_bzCompressEnd)> end(&stream, BZ2_bzCompressEnd);
    const Pumped pumped = pump(stream, raw, stored, [&](bool last) {
      const int status = BZ2_bzCompress(&stream, last ? BZ_FINISH : BZ_RUN);
      PATHSPOOL_CHECK(status == BZ_RUN_OK || status == BZ_FINISH_OK || status == BZ_STREAM_END);
      return status == BZ_STREAM_END;
    });
    PATHSPOOL_CHECK(pumped.ended);
    return pumped.written_bytes;
  }
};

class Bzip2Decompressor final : public Decompressor::Engine {
 public:
  void decompress(base::ByteView stored, std::span<std::uint8_t> raw) override {
    constexpr int kQuiet = 0;
    constexpr int kFast = 0;
    bz_stream stream{};
    require_bzip2(BZ2_bzDecompressInit(&stream, kQuiet, kFast));
    const std::unique_ptr<bz_stream, decltype(&BZ2_bzDecompressEnd)> end(&stream,
                                                                         BZ2_bzDecompressEnd);
    pump_exactly("bzip2", stream, stored, raw, [&] {
      const int status = BZ2_bzDecompress(&stream);
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      if (status != BZ_OK && status != BZ_STREAM_END) throw_damaged("bzip2");
      return status == BZ_STREAM_END;
    });
  }
};

// ---- zstd

[[nodiscard]] bool out_of_memory(std::size_t zstd_result) {
  return ZSTD_getErrorCode(zstd_result) == ZSTD_error_memory_allocation;
}

std::size_t require_zstd(std::size_t result) {
  if (out_of_memory(result)) throw std::bad_alloc();
  PATHSPOOL_CHECK(!ZSTD_isError(result));
  return result;
}

class ZstdCompressor final : public Compressor::Engine {
 public:
  explicit ZstdCompressor(std::uint64_t largest_input_bytes) {
    if (!context_) throw std::bad_alloc();
    // On traces a third smaller than level 3, which is twice as fast; level 6 gains little more.
    constexpr int kLevel = 5;
    // A match may reach back to the start of the input, up to what any zstd agrees to decompress.
    // It costs no memory, as the input is the window, and zstd lowers it for smaller inputs.
    const int window_bits =
        std::clamp(static_cast<int>(std::bit_width(largest_input_bytes)), 10, 27);
    set(ZSTD_c_compressionLevel, kLevel);
    set(ZSTD_c_windowLog, window_bits);
    set(ZSTD_c_contentSizeFlag, 1);
    set(ZSTD_c_checksumFlag, 0);  // ours is outside
  }

  std::size_t compress(base::ByteView raw, std::span<std::uint8_t> stored) override {
    // A call that failed leaves its frame open.
    require_zstd(ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only));
    return require_zstd(
        ZSTD_compress2(context_.get(), stored.data(), stored.size(), raw.data(), raw.size()));
  }

 private:
  void set(ZSTD_cParameter parameter, int value) {
    require_zstd(ZSTD_CCtx_setParameter(context_.get(), parameter, value));
  }

  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_{ZSTD_createCCtx(), ZSTD_freeCCtx};
};

class ZstdDecompressor final : public Decompressor::Engine {
 public:
  ZstdDecompressor() {
    if (!context_) throw std::bad_alloc();
  }

  void decompress(base::ByteView stored, std::span<std::uint8_t> raw) override {
    // zstd would decompress further frames as well: only one is ours.
    const std::size_t frame_bytes = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
    if (ZSTD_isError(frame_bytes)) throw_damaged("zstd");
    if (frame_bytes != stored.size()) throw_trailing("zstd");
    std::uint8_t nothing = 0;  // an empty span may have no address, which zstd takes for an error
    const std::size_t result =
        ZSTD_decompressDCtx(context_.get(), raw.empty() ? &nothing : raw.data(), raw.size(),
                            stored.data(), stored.size());
    if (out_of_memory(result)) throw std::bad_alloc();
    if (ZSTD_getErrorCode(result) == ZSTD_error_dstSize_tooSmall) throw_too_long("zstd");
    if (ZSTD_isError(result)) throw_damaged("zstd");
    if (result != raw.size()) throw_too_short("zstd");
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_{ZSTD_createDCtx(), ZSTD_freeDCtx};
};

// ---- xz

// Preset 6, with a dictionary that is no larger than the input needs: its memory is ten times that.
class XzFilters {
 public:
  explicit XzFilters(std::uint64_t input_bytes) {
    constexpr std::uint32_t kPreset = 6;
    PATHSPOOL_CHECK(!lzma_lzma_preset(&options_, kPreset));
    if (input_bytes < options_.dict_size) {
      options_.dict_size = std::bit_ceil(
          std::max<std::uint32_t>(LZMA_DICT_SIZE_MIN, static_cast<std::uint32_t>(input_bytes)));
    }
  }
  XzFilters(const XzFilters&) = delete;
  XzFilters& operator=(const XzFilters&) = delete;

  [[nodiscard]] lzma_filter* get() { return filters_; }

 private:
  lzma_options_lzma options_{};
  lzma_filter filters_[2] = {{LZMA_FILTER_LZMA2, &options_}, {LZMA_VLI_UNKNOWN, nullptr}};
};

class XzCompressor final : public Compressor::Engine {
 public:
  std::size_t compress(base::ByteView raw, std::span<std::uint8_t> stored) override {
    XzFilters filters(raw.size());
    std::size_t written_bytes = 0;
    const lzma_ret status =
        lzma_stream_buffer_encode(filters.get(), LZMA_CHECK_NONE, nullptr, raw.data(), raw.size(),
                                  stored.data(), &written_bytes, stored.size());
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    PATHSPOOL_CHECK(status == LZMA_OK);
    return written_bytes;
  }
};

class XzDecompressor final : public Decompressor::Engine {
 public:
  ~XzDecompressor() override { lzma_end(&stream_); }

  void decompress(base::ByteView stored, std::span<std::uint8_t> raw) override {
    // The dictionary that a damaged header asks for is a claim: no more than preset 6 has.
    XzFilters filters(UINT64_MAX);
    const std::uint64_t memory_limit_bytes = lzma_raw_decoder_memusage(filters.get()) + kMebi;
    // On a stream that was used before, this keeps its memory.
    const lzma_ret begun = lzma_stream_decoder(&stream_, memory_limit_bytes, 0);
    if (begun == LZMA_MEM_ERROR) throw std::bad_alloc();
    PATHSPOOL_CHECK(begun == LZMA_OK);
    // Not lzma_stream_buffer_decode(), which does not tell a cut stream from one that is too long.
    pump_exactly("xz", stream_, stored, raw, [&] {
      const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
      if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) {
        throw_damaged("xz");
      }
      return status == LZMA_STREAM_END;
    });
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

// ---- Sizes

// The most that an input of so many bytes can become.
std::uint64_t bound_bytes(Codec codec, std::uint64_t input_bytes) {
  switch (codec) {
    case Codec::gzip:
      return compressBound(input_bytes) + 32;  // gzip's wrapper is 12 bytes longer than zlib's
    case Codec::bzip2:
      return input_bytes + input_bytes / 100 + 1024;  // the manual says 1% and 600 bytes
    case Codec::zstd:
      return ZSTD_compressBound(input_bytes);
    case Codec::xz:
      return lzma_stream_buffer_bound(input_bytes);
  }
  throw_unknown(codec);
}

std::uint64_t state_bytes(Codec codec, std::uint64_t input_bytes) {
  switch (codec) {
    case Codec::gzip:
      return kMebi / 2;  // zconf.h: 256 KiB for the window and the hash table, and some
    case Codec::bzip2:
      // The manual: 400 kB and eight times the block.
      return kMebi / 2 +
             8 * kBzip2BlockBytes * static_cast<std::uint64_t>(bzip2_level(input_bytes));
    case Codec::zstd:
      // Its tables fit the input; zstd promises nothing, this is twice what was seen.
      return std::min(4 * kMebi, kMebi + 8 * input_bytes);
    case Codec::xz: {
      XzFilters filters(input_bytes);
      return lzma_raw_encoder_memusage(filters.get()) + kMebi;
    }
  }
  throw_unknown(codec);
}

std::unique_ptr<Compressor::Engine> make_compressor(Codec codec,
                                                    std::uint64_t largest_input_bytes) {
  switch (codec) {
    case Codec::gzip:
      return std::make_unique<GzipCompressor>();
    case Codec::bzip2:
      return std::make_unique<Bzip2Compressor>();
    case Codec::zstd:
      return std::make_unique<ZstdCompressor>(largest_input_bytes);
    case Codec::xz:
      return std::make_unique<XzCompressor>();
  }
  throw_unknown(codec);
}

std::unique_ptr<Decompressor::Engine> make_decompressor(Codec codec) {
  switch (codec) {
    case Codec::gzip:
      return std::make_unique<GzipDecompressor>();
    case Codec::bzip2:
      return std::make_unique<Bzip2Decompressor>();
    case Codec::zstd:
      return std::make_unique<ZstdDecompressor>();
    case Codec::xz:
      return std::make_unique<XzDecompressor>();
  }
  throw_unknown(codec);
}

}  // namespace

Compressor::Compressor(Codec codec, std::uint64_t largest_input_bytes)
    : engine_(make_compressor(codec, largest_input_bytes)),
      largest_input_bytes_(largest_input_bytes) {
  PATHSPOOL_CHECK(largest_input_bytes < std::uint64_t{1}
                                            << 48);  // so that the bound cannot overflow
  engine_->scratch_bytes = bound_bytes(codec, largest_input_bytes);
  engine_->scratch = std::make_unique_for_overwrite<std::uint8_t[]>(engine_->scratch_bytes);
}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

base::Bytes Compressor::compress(base::ByteView raw) {
  PATHSPOOL_CHECK(raw.size() <= largest_input_bytes_);
  const std::span<std::uint8_t> scratch(engine_->scratch.get(), engine_->scratch_bytes);
  const auto stored = scratch.first(engine_->compress(raw, scratch));
  return {stored.begin(), stored.end()};
}

std::uint64_t Compressor::memory_bytes(Codec codec, std::uint64_t largest_input_bytes) {
  return state_bytes(codec, largest_input_bytes) + 2 * bound_bytes(codec, largest_input_bytes);
}

Decompressor::Decompressor(Codec codec) : engine_(make_decompressor(codec)) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

void Decompressor::decompress(base::ByteView stored, std::span<std::uint8_t> raw) {
  engine_->decompress(stored, raw);
}

}  // namespace pathspool::codec
