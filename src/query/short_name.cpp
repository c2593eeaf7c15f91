#include "query/short_name.h"

#include <cctype>

namespace pathspool::query {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";

bool is_of_identifier(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_' || byte == '$';
}

// The text from `begin` up to what closes the bracket there, which is included; all of it if
// nothing does. A `>` of an arrow closes nothing.
std::string_view bracketed(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '(' || byte == '<' || byte == '{' || byte == '[') ++depth;
    if (byte == '>' && text[i - 1] == '-') continue;
    if (byte == ')' || byte == '>' || byte == '}' || byte == ']') --depth;
    if (depth == 0) return text.substr(begin, i + 1 - begin);
  }
  return text.substr(begin);
}

// `operator<<`, `operator()`, `operator new`: the word and what it names, at the text's start; none
// if it is not there.
std::string_view operator_name(std::string_view text) {
  if (!text.starts_with(kOperator)) return {};
  std::size_t end = kOperator.size();
  if (end < text.size() && is_of_identifier(text[end])) return {};
  if (text.substr(end).starts_with("()")) return text.substr(0, end + 2);
  if (end < text.size() && text[end] == ' ') {
    // A word or a type, up to the parameters.
    const std::size_t parameters = text.find('(', end);
    return text.substr(0, parameters);
  }
  constexpr std::string_view kSigns = "<>=-!~+*/%^&|,[]";
  while (end < text.size() && kSigns.find(text[end]) != std::string_view::npos) ++end;
  return text.substr(0, end);
}

}  // namespace

std::string short_name(std::string_view demangled, bool with_template_arguments) {
  std::string name;
  for (std::size_t i = 0; i < demangled.size();) {
    const std::string_view rest = demangled.substr(i);
    const bool begins_word = i == 0 || !is_of_identifier(demangled[i - 1]);
    if (const std::string_view word = operator_name(rest); begins_word && !word.empty()) {
      name += word;
      i += word.size();
    } else if (rest.starts_with(kAnonymous)) {
      name += kAnonymous;
      i += kAnonymous.size();
    } else if (rest[0] == '(') {
      // Parameters; what comes after is of no interest, unless it is inside the function.
      i += bracketed(demangled, i).size();
      if (demangled.substr(i).starts_with(" const::")) i += 6;
      if (!demangled.substr(i).starts_with("::")) break;
    } else if (rest[0] == '<') {
      const std::string_view arguments = bracketed(demangled, i);
      if (with_template_arguments) name += arguments;
      i += arguments.size();
    } else if (rest[0] == '{' || rest[0] == '[') {
      const std::string_view literal = bracketed(demangled, i);
      name += literal;
      i += literal.size();
    } else if (rest[0] == ' ') {
      // It was what the function returns, but in `operator< <int>`.
      if (!rest.starts_with(" <")) name.clear();
      ++i;
    } else {
      name += rest[0];
      ++i;
    }
  }
  return name;
}

bool is_or_ends(std::string_view whole, std::string_view name) {
  if (name.empty() || !whole.ends_with(name)) return false;
  return whole.size() == name.size() || whole.substr(0, whole.size() - name.size()).ends_with("::");
}

}  // namespace pathspool::query
