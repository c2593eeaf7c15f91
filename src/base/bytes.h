// Little-endian numbers, variable-length numbers and strings in byte arrays.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pathspool::base {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian, read by copying");

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

// Small magnitudes of either sign become small numbers: 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u16(std::uint16_t value) { fixed(value); }
  void u32(std::uint32_t value) { fixed(value); }
  void u64(std::uint64_t value) { fixed(value); }

  // LEB128: seven bits a byte, lowest first, the top bit set on all but the last.
  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void signed_varint(std::int64_t value) { varint(zigzag(value)); }

  void bytes(ByteView view) { bytes_.insert(bytes_.end(), view.begin(), view.end()); }
  void string(std::string_view text) {
    varint(text.size());
    bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] ByteView view() const { return bytes_; }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  template <typename T>
  void fixed(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  Bytes bytes_;
};

// Fails stickily: past the end, or at a malformed number, it gives 0 and `failed()` stays true.
class ByteReader {
 public:
  explicit ByteReader(ByteView view) : view_(view) {}

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint32_t u32() { return fixed<std::uint32_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }

  std::uint64_t varint() {
    // Most are small.
    if (!failed_ && at_ != view_.size() && view_[at_] < 0x80) return view_[at_++];
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = u8();
      const std::uint64_t bits = byte & 0x7f;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if (byte < 0x80) return failed_ ? 0 : value;
    }
    failed_ = true;
    return 0;
  }
  // A varint that must fit in 32 bits.
  std::uint32_t varint32() {
    const std::uint64_t value = varint();
    if (value > UINT32_MAX) {
      failed_ = true;
      return 0;
    }
    return static_cast<std::uint32_t>(value);
  }
  std::int64_t signed_varint() { return unzigzag(varint()); }

  // A count of things that take at least `bytes_each` bytes: a claim that what is left must allow.
  std::uint64_t count(std::size_t bytes_each = 1) {
    const std::uint64_t claimed = varint();
    if (claimed > left() / bytes_each) {
      failed_ = true;
      return 0;
    }
    return claimed;
  }

  ByteView bytes(std::uint64_t length) {
    if (length > left()) {
      failed_ = true;
      return {};
    }
    const ByteView piece = view_.subspan(at_, static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
    return piece;
  }
  std::string string() {
    const ByteView piece = bytes(varint());
    return {reinterpret_cast<const char*>(piece.data()), piece.size()};
  }

  void fail() { failed_ = true; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t left() const { return failed_ ? 0 : view_.size() - at_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  // Everything was read and nothing failed.
  [[nodiscard]] bool done() const { return !failed_ && at_ == view_.size(); }

 private:
  template <typename T>
  T fixed() {
    T value = 0;
    if (failed_ || view_.size() - at_ < sizeof value) {
      failed_ = true;
      return 0;
    }
    std::memcpy(&value, view_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  ByteView view_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace pathspool::base
