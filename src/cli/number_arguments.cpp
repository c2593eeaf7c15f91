#include "cli/number_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "cli/command_error.h"

namespace pathspool::cli {

namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return {};
  return number;
}

[[noreturn]] void reject(std::string_view option, std::string_view text, std::string_view wanted) {
  throw UsageError(fmt::format("{}: '{}' is not {}", option, text, wanted));
}

// By how many bits a size's last letter shifts it.
int shift_of(char unit) {
  switch (unit) {
    case 'K':
    case 'k':
      return 10;
    case 'M':
    case 'm':
      return 20;
    case 'G':
    case 'g':
      return 30;
    default:
      return 0;
  }
}

}  // namespace

std::uint64_t parse_size(std::string_view option, std::string_view text) {
  const int shift = text.empty() ? 0 : shift_of(text.back());
  const std::string_view digits = text.substr(0, text.size() - (shift > 0 ? 1 : 0));
  const auto number = whole_number<std::uint64_t>(digits);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) {
    reject(option, text, "a size (such as 65536, 64K, 4M or 1G)");
  }
  return *number << shift;
}

std::uint64_t parse_count(std::string_view option, std::string_view text) {
  const auto number = whole_number<std::uint64_t>(text);
  if (!number) reject(option, text, "a number");
  return *number;
}

StreamId parse_stream(std::string_view option, std::string_view text) {
  const auto number = whole_number<std::uint32_t>(text);
  if (!number) reject(option, text, "the number of a stream");
  return StreamId{*number};
}

PositionArgument parse_position(std::string_view option, std::string_view text) {
  constexpr std::string_view kWanted = "a position (N, or S:N for event N of stream S)";
  PositionArgument position;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto stream = whole_number<std::uint32_t>(text.substr(0, colon));
    if (!stream) reject(option, text, kWanted);
    position.stream = StreamId{*stream};
  }
  const auto index = whole_number<std::uint64_t>(text.substr(text.find(':') + 1));
  if (!index) reject(option, text, kWanted);
  position.index = *index;
  return position;
}

}  // namespace pathspool::cli
