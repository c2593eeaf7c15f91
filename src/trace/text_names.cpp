#include "trace/text_names.h"

#include <algorithm>
#include <string>

#include "pathspool/text.h"

namespace pathspool {
namespace trace {

bool needs_quotes(std::string_view name) {
  return name.empty() || name == "E" || name[0] == '@' || looks_like_block(name) ||
         !std::ranges::all_of(name, is_plain);
}

namespace {

void append_escaped(std::string& out, char byte) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const auto value = static_cast<unsigned char>(byte);
  if (value < 0x20 || value == 0x7f) {
    out += "\\x";
    out += kHexDigits[value >> 4];
    out += kHexDigits[value & 0xf];
  } else {
    out += byte;
  }
}

}  // namespace
}  // namespace trace

std::string quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (const char byte : text) trace::append_escaped(out, byte);
  out += '"';
  return out;
}

std::string quoted_if_needed(std::string_view name) {
  return trace::needs_quotes(name) ? quoted(name) : std::string(name);
}

}  // namespace pathspool
