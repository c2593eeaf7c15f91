// Much of the C++ library at once: thousands of functions, all of whose blocks must be walks.
// levels: -O0 -O2
// versions: newest
// expect outline: __cxx_global_var_init main
// expect optimized outline: _GLOBAL__sub_I_library_zoo.cpp main
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct Node {
  std::string name;
  std::vector<std::unique_ptr<Node>> children;
};

static std::unique_ptr<Node> parse(const std::string& text, std::size_t& at) {
  auto node = std::make_unique<Node>();
  while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at]))) {
    node->name += text[at++];
  }
  if (node->name.empty()) throw std::invalid_argument("a name is missing at " + std::to_string(at));
  if (at < text.size() && text[at] == '(') {
    do {
      ++at;
      node->children.push_back(parse(text, at));
    } while (at < text.size() && text[at] == ',');
    if (at == text.size() || text[at] != ')') throw std::out_of_range("a ) is missing");
    ++at;
  }
  return node;
}

static void print(const Node& node, std::ostream& out, int depth = 0) {
  out << std::string(static_cast<std::size_t>(depth), ' ') << node.name << '\n';
  for (const auto& child : node.children) print(*child, out, depth + 1);
}

int main() {
  for (const char* text : {"a(b,c(d,e),f)", "a(b,)", "a(b", ""}) {
    try {
      std::size_t at = 0;
      const auto tree = parse(text, at);
      std::ostringstream out;
      print(*tree, out);
      std::cout << out.str();
    } catch (const std::invalid_argument& error) {
      std::cout << "invalid: " << error.what() << '\n';
    } catch (const std::exception& error) {
      std::cout << "error: " << error.what() << '\n';
    }
  }
  std::map<std::string, std::vector<int>> words;
  std::istringstream input("one two three two three three");
  int position = 0;
  for (std::string word; input >> word;) words[word].push_back(position++);
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const auto& [word, positions] : words) counts.emplace_back(word, positions.size());
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [word, count] : counts) std::cout << word << ' ' << count << '\n';
  const std::regex date(R"((\d{4})-(\d\d)-(\d\d))");
  std::smatch match;
  const std::string line = "on 2024-02-29 or so";
  if (std::regex_search(line, match, date)) std::cout << match[1] << '/' << match[2] << '\n';
  try {
    const std::regex wrong("(");
    std::cout << "not reached\n";
  } catch (const std::regex_error&) {
    std::cout << "a wrong expression\n";
  }
  std::variant<int, std::string> either = "text";
  std::function<void(int)> countdown = [&](int n) {
    if (n == 0) throw either;
    countdown(n - 1);
  };
  try {
    countdown(5);
  } catch (const std::variant<int, std::string>& value) {
    std::visit([](const auto& held) { std::cout << held << '\n'; }, value);
  }
  return 0;
}
