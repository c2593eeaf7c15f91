// A growable array of trivially copyable elements on realloc: glibc grows a large block with
// mremap, so growth moves page table entries instead of bytes and the old and the new block never
// coexist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pathspool::base {

// Elements beyond what the owner wrote are uninitialised. Indexing is unchecked: these arrays are
// the innermost data of hot loops.
template <typename T>
class FlatArray {
  static_assert(std::is_trivially_copyable_v<T>, "realloc moves bytes");
  static_assert(alignof(T) <= alignof(std::max_align_t), "realloc aligns no further");

 public:
  FlatArray() = default;
  ~FlatArray() { std::free(data_); }
  FlatArray(const FlatArray&) = delete;
  FlatArray& operator=(const FlatArray&) = delete;
  FlatArray(FlatArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  FlatArray& operator=(FlatArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  // Keeps the first min(size(), size) elements. On std::bad_alloc the array is as it was.
  void resize(std::size_t size) {
    if (size == 0) {
      std::free(std::exchange(data_, nullptr));
      size_ = 0;
      return;
    }
    if (size > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    void* const moved = std::realloc(static_cast<void*>(data_), size * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    size_ = size;
  }

  // Asks for huge pages under the whole of a large block. For arrays that are hit at random and
  // filled: there, most of the cost of a miss is the walk of the page table.
  void prefer_huge_pages() {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 16;  // the largest base page of aarch64
    const auto address = reinterpret_cast<std::uintptr_t>(data_);
    const std::uintptr_t begin = (address + kPage - 1) & ~(kPage - 1);
    const std::uintptr_t end = (address + size_ * sizeof(T)) & ~(kPage - 1);
    if (end > begin && end - begin >= kHugePageWorthwhileBytes) {
      madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a hint: may fail
    }
#endif
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }

 private:
  static constexpr std::size_t kHugePageWorthwhileBytes = std::size_t{4} << 20;

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pathspool::base
