// What the reader and the writer of the text form share: which bytes a bare token may hold, which
// names need quotes, and how long a name may be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pathspool::trace {

// The reader holds a whole name in memory, so this bound is what makes its memory constant.
inline constexpr std::size_t kMaxNameBytes = std::size_t{1} << 20;

enum class ByteClass : std::uint8_t {
  plain,       // may be in a bare token
  special,     // quote, backslash, control byte: in quotes only
  blank,       // space, tab, CR, VT, FF
  newline,     //
  comma,       //
  number_sign  // starts a comment
};

inline constexpr std::array<ByteClass, 256> kByteClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) classes[byte] = ByteClass::special;
  classes[0x7f] = classes['"'] = classes['\\'] = ByteClass::special;
  for (const unsigned char byte : {' ', '\t', '\r', '\v', '\f'}) classes[byte] = ByteClass::blank;
  classes['\n'] = ByteClass::newline;
  classes[','] = ByteClass::comma;
  classes['#'] = ByteClass::number_sign;
  return classes;
}();

[[nodiscard]] constexpr ByteClass byte_class(char byte) {
  return kByteClasses[static_cast<unsigned char>(byte)];
}

[[nodiscard]] constexpr bool is_plain(char byte) { return byte_class(byte) == ByteClass::plain; }

// A separator or the start of a comment: what may follow a token.
[[nodiscard]] constexpr bool ends_token(char byte) { return byte_class(byte) >= ByteClass::blank; }

[[nodiscard]] constexpr bool is_digit(char byte) {
  return static_cast<unsigned char>(byte - '0') < 10;
}

// Never the name of a function when bare: a block, or an error.
[[nodiscard]] constexpr bool looks_like_block(std::string_view token) {
  return token.size() >= 2 && token[0] == 'B' && is_digit(token[1]);
}

// Whether the reader would take the bare name for something else.
[[nodiscard]] bool needs_quotes(std::string_view name);

}  // namespace pathspool::trace
