// The coded events of a chunk, unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pathspool::spool {

// Uninitialised memory. A large block lies on huge pages as far as they are filled, which makes
// unpacking and scanning a few per cent faster.
class CodedEvents {
 public:
  CodedEvents() = default;
  explicit CodedEvents(std::size_t size_bytes)
      : size_bytes_(size_bytes), capacity_bytes_(size_bytes) {
    const std::size_t huge_bytes = size_bytes / kHugePageBytes * kHugePageBytes;
    if (huge_bytes == 0) {
      data_.reset(static_cast<std::uint8_t*>(std::malloc(size_bytes == 0 ? 1 : size_bytes)));
    } else {
      // A multiple of the alignment, as the function wants it; pages that are never touched cost
      // nothing.
      const std::size_t whole_bytes = (size_bytes + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
      data_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kHugePageBytes, whole_bytes)));
    }
    if (!data_) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (huge_bytes > 0) madvise(data_.get(), huge_bytes, MADV_HUGEPAGE);  // a hint: may fail
#endif
  }

  // What was there is lost; the memory is used again if it is large enough and not much too large.
  void become(std::size_t size_bytes) {
    if (size_bytes <= capacity_bytes_ && capacity_bytes_ / 2 <= size_bytes) {
      size_bytes_ = size_bytes;
    } else {
      *this = CodedEvents(size_bytes);
    }
  }

  [[nodiscard]] bool empty() const { return size_bytes_ == 0; }
  [[nodiscard]] std::size_t memory_bytes() const { return capacity_bytes_; }
  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data_.get(), size_bytes_}; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_.get(), size_bytes_}; }

 private:
  static constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
  struct Free {
    void operator()(std::uint8_t* data) const { std::free(data); }
  };

  std::unique_ptr<std::uint8_t, Free> data_;
  std::size_t size_bytes_ = 0;
  std::size_t capacity_bytes_ = 0;
};

}  // namespace pathspool::spool
