// A calculator that reads one expression a line: small, but with recursion, loops and exceptions.
//
//   pathspool c++ -N 'std::*' -O2 calculator.cpp -o calculator
//   echo '2 * (3 + 4)' | pathspool record ./calculator
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

class Parser {
 public:
  explicit Parser(const std::string& text) : at_(text.c_str()) {}

  double whole() {
    const double value = sum();
    if (next() != '\0') throw std::runtime_error("what is this?");
    return value;
  }

 private:
  char next() {
    while (*at_ == ' ') ++at_;
    return *at_;
  }

  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = factor();
    while (true) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        const double divisor = factor();
        if (divisor == 0) throw std::domain_error("division by zero");
        value /= divisor;
      } else {
        return value;
      }
    }
  }

  double factor() {
    if (take('-')) return -factor();
    if (take('(')) {
      const double value = sum();
      if (!take(')')) throw std::runtime_error("a bracket is open");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(next())) == 0)
      throw std::runtime_error("a number is missing");
    char* end = nullptr;
    const double value = std::strtod(at_, &end);
    at_ = end;
    return value;
  }

  const char* at_;
};

void answer(const std::string& line) {
  try {
    const double value = Parser(line).whole();
    std::cout << line << " = " << value << '\n';
  } catch (const std::exception& error) {
    std::cout << line << ": " << error.what() << '\n';
  }
}

int main() {
  for (std::string line; std::getline(std::cin, line);) answer(line);
}
