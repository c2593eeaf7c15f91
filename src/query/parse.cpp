// Queries as they are written: docs/query.md.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "pathspool/error.h"
#include "pathspool/find.h"
#include "pathspool/text.h"
#include "trace/text_names.h"

namespace pathspool {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::string_view kSeparators = " \t\r\n\v\f,";

bool is_blank(char byte) { return kBlanks.find(byte) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Where the quotes that the text begins with end.
std::size_t end_of_quotes(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  throw Error("the query's name has no closing quote");
}

// By the reader of the text form, which knows the escapes.
std::string unquoted(std::string_view text) {
  FunctionTable names;
  TextReader reader(
      [&text](std::span<char> buffer) {
        const std::size_t count = text.copy(buffer.data(), buffer.size());
        text.remove_prefix(count);
        return count;
      },
      names);
  TextBatch batch;
  while (reader.next(batch)) {
  }
  return names.size() == 1 ? names[FunctionId{0}].name : std::string();
}

struct Halves {
  std::string function;
  std::string_view path;
};

// At the last colon that a blank or the end follows; after the quotes if there are some.
Halves split(std::string_view text) {
  if (text.starts_with('"')) {
    const std::size_t end = end_of_quotes(text);
    const std::string_view rest = text.substr(end);
    if (!rest.starts_with(':') || (rest.size() > 1 && !is_blank(rest[1]))) {
      throw Error("the query has no colon and blank after the function's name");
    }
    return {unquoted(text.substr(0, end)), rest.substr(1)};
  }
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] != ':' || (i + 1 < text.size() && !is_blank(text[i + 1]))) continue;
    return {std::string(trimmed(text.substr(0, i))), text.substr(i + 1)};
  }
  throw Error("the query has no colon and blank: it should be like 'parse: B1 B2 B3'");
}

// Digits only, no zero in front.
std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] == '0' || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

ParsedQuery::Step parse_step(std::string_view word) {
  ParsedQuery::Step step;
  if (trace::looks_like_block(word)) {
    const auto id = number_in(word.substr(1));
    if (!id) throw Error(fmt::format("{} is no block: ids go from B1 to B4294967295", word));
    step.block = BlockId{*id};
    return step;
  }
  const std::size_t colon = word.rfind(':');
  if (colon != std::string_view::npos) {
    const auto line = number_in(word.substr(colon + 1));
    if (!line) throw Error(fmt::format("'{}' is no line: they count from 1, as in :120", word));
    step.line = *line;
    step.file = word.substr(0, colon);
    return step;
  }
  throw Error(fmt::format("'{}' is neither a block (B1) nor a line (:120 or parse.c:120)", word));
}

}  // namespace

ParsedQuery parse_query(std::string_view text) {
  const Halves halves = split(trimmed(text));
  ParsedQuery query;
  query.function = halves.function;
  if (query.function.empty()) throw Error("the query names no function");
  std::string_view rest = halves.path;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kSeparators), rest.size()));
    if (rest.empty()) break;
    const std::string_view word = rest.substr(0, rest.find_first_of(kSeparators));
    query.steps.push_back(parse_step(word));
    rest.remove_prefix(word.size());
  }
  if (query.steps.empty()) throw Error("the query's path has no blocks");
  return query;
}

}  // namespace pathspool
