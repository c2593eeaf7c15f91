// A table of fixed size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace pathspool::branch {

// Starts as zeros, if nothing else is said. Then pages that nobody touches cost nothing, which
// matters for `app`: most of its contexts never come.
// Begins at a cache line. Indexing is unchecked: these are the innermost data of hot loops.
template <typename T>
class Table {
  static_assert(std::is_trivially_copyable_v<T>, "zeros are made by the system");

 public:
  explicit Table(std::size_t size) : size_(size), block_(std::calloc(size * sizeof(T) + kLine, 1)) {
    if (block_ == nullptr) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(block_);
    data_ = reinterpret_cast<T*>((address + kLine - 1) & ~(kLine - 1));
  }
  Table(std::size_t size, const T& value) : Table(size) {
    for (std::size_t i = 0; i < size; ++i) data_[i] = value;
  }
  ~Table() { std::free(block_); }
  Table(const Table& other) : Table(other.size_) {
    std::memcpy(static_cast<void*>(data_), other.data_, bytes());
  }
  Table(Table&& other) noexcept
      : size_(std::exchange(other.size_, 0)),
        block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)) {}
  Table& operator=(Table other) noexcept {
    std::swap(size_, other.size_);
    std::swap(block_, other.block_);
    std::swap(data_, other.data_);
    return *this;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }

 private:
  static constexpr std::uintptr_t kLine = 64;

  std::size_t size_;
  void* block_;
  T* data_ = nullptr;
};

}  // namespace pathspool::branch
