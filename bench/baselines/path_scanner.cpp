// What people do today: a scanner behind `zstd -dc`, written as well as it can be and without
// anything of ours. It reads a trace as symbols of 16 or 32 bits from standard input (0 an exit, up
// to --largest-block a block, above it an entered function) and prints how often a path occurs and
// at which event it first ends, by the automaton of the path-matching paper's section 4.1: one KMP
// state for each open frame, nil for frames of other functions.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "path_scanner: %s\n", what);
  std::exit(2);
}

struct Arguments {
  unsigned symbol_bits = 16;
  std::uint32_t largest_block = 0;
  std::uint32_t function = 0;
  std::vector<std::uint32_t> path;
};

std::vector<std::uint32_t> numbers(std::string_view text) {
  std::vector<std::uint32_t> values;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const auto [next, error] = std::from_chars(at, end, values.emplace_back());
    if (error != std::errc{} || (next != end && *next != ',')) fail("not a number");
    at = next + (next != end);
  }
  return values;
}

std::uint32_t number(std::string_view text) {
  const std::vector<std::uint32_t> values = numbers(text);
  if (values.size() != 1) fail("not a number");
  return values.front();
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view value = argv[i + 1];
    if (name == "--bits") {
      arguments.symbol_bits = number(value);
    } else if (name == "--largest-block") {
      arguments.largest_block = number(value);
    } else if (name == "--function") {
      arguments.function = number(value);
    } else if (name == "--path") {
      arguments.path = numbers(value);
    } else {
      fail("unknown option");
    }
  }
  if (arguments.path.empty() || arguments.largest_block == 0) {
    fail("--bits 16|32 --largest-block N --function F --path B,B,... < SYMBOLS");
  }
  for (const std::uint32_t block : arguments.path) {
    if (block == 0 || block > arguments.largest_block) fail("no such block");
  }
  return arguments;
}

// KMP as a table: a row of next states for each state, with a column for each block of the path and
// column 0 for all others. States are kept as the index of their row.
struct Automaton {
  std::vector<std::uint16_t> columns;  // by block
  std::vector<std::uint32_t> next;     // by row + column
  std::uint32_t last_row = 0;          // of the state in which the path ends

  Automaton(const std::vector<std::uint32_t>& path, std::uint32_t largest_block)
      : columns(largest_block + 1) {
    std::uint32_t width = 1;
    for (const std::uint32_t block : path) {
      if (columns[block] == 0) columns[block] = static_cast<std::uint16_t>(width++);
    }
    const auto states = static_cast<std::uint32_t>(path.size() + 1);
    next.assign(std::size_t{states} * width, 0);
    std::uint32_t border = 0;  // the state of the longest proper suffix
    for (std::uint32_t state = 0; state < states; ++state) {
      std::uint32_t* const row = &next[std::size_t{state} * width];
      std::copy_n(&next[std::size_t{border} * width], width, row);
      if (state == states - 1) break;
      const std::uint32_t column = columns[path[state]];
      const std::uint32_t after_border = state == 0 ? 0 : row[column] / width;
      row[column] = (state + 1) * width;
      border = after_border;
    }
    last_row = (states - 1) * width;
  }
};

template <typename Symbol>
class Scanner {
 public:
  explicit Scanner(const Arguments& arguments)
      : automaton_(arguments.path, arguments.largest_block),
        largest_block_(static_cast<Symbol>(arguments.largest_block)),
        entered_(static_cast<Symbol>(arguments.function + 1 + arguments.largest_block)) {}

  void scan(const Symbol* at, std::size_t count) {
    const Symbol* const begin = at;
    const Symbol* const end = at + count;
    while (at < end) {
      // Blocks come in runs; whose they are is settled once for a run.
      at = row_ == kNil ? past_blocks(at, end) : follow_blocks(at, end, begin);
      if (at == end) break;
      const Symbol symbol = *at++;
      if (symbol == 0) {
        leave();
      } else {
        enter(symbol);
      }
    }
    events_ += count;
  }

  void print() const {
    if (count_ == 0) {
      std::puts("0 -");
    } else {
      std::printf("%llu %llu\n", static_cast<unsigned long long>(count_),
                  static_cast<unsigned long long>(first_));
    }
  }

 private:
  static constexpr std::uint32_t kNil = UINT32_MAX;

  [[nodiscard]] bool is_block(Symbol symbol) const {
    return static_cast<Symbol>(symbol - 1) < largest_block_;
  }

  const Symbol* past_blocks(const Symbol* at, const Symbol* end) const {
    constexpr int kAtOnce = 8;  // a compiler makes vector instructions of these
    for (; end - at >= kAtOnce; at += kAtOnce) {
      unsigned others = 0;
      for (int i = 0; i < kAtOnce; ++i) others |= static_cast<unsigned>(!is_block(at[i]));
      if (others != 0) break;
    }
    while (at < end && is_block(*at)) ++at;
    return at;
  }

  const Symbol* follow_blocks(const Symbol* at, const Symbol* end, const Symbol* begin) {
    const std::uint16_t* const columns = automaton_.columns.data();
    const std::uint32_t* const next = automaton_.next.data();
    const std::uint32_t last_row = automaton_.last_row;
    std::uint32_t row = row_;
    std::uint64_t count = count_;
    for (; at < end && is_block(*at); ++at) {
      row = next[row + columns[*at]];
      if (row != last_row) continue;
      if (count++ == 0) first_ = events_ + static_cast<std::uint64_t>(at - begin);
    }
    row_ = row;
    count_ = count;
    return at;
  }

  void enter(Symbol symbol) {
    if (depth_ == frames_.size()) frames_.resize(2 * depth_);
    frames_[depth_++] = row_;
    row_ = symbol == entered_ ? 0 : kNil;
  }

  void leave() { row_ = depth_ == 0 ? kNil : frames_[--depth_]; }

  Automaton automaton_;
  Symbol largest_block_;
  Symbol entered_;
  std::uint32_t row_ = kNil;  // of the running frame; the others' lie in frames_
  std::vector<std::uint32_t> frames_ = std::vector<std::uint32_t>(1024);
  std::size_t depth_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t first_ = 0;
};

template <typename Symbol>
void run(const Arguments& arguments) {
  Scanner<Symbol> scanner(arguments);
  std::vector<Symbol> symbols(kReadBytes / sizeof(Symbol));
  auto* const bytes = reinterpret_cast<char*>(symbols.data());
  std::size_t filled = 0;
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, bytes + filled, kReadBytes - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read standard input");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    const std::size_t whole = filled / sizeof(Symbol);
    scanner.scan(symbols.data(), whole);
    const std::size_t used = whole * sizeof(Symbol);
    std::memmove(bytes, bytes + used, filled - used);
    filled -= used;
  }
  if (filled != 0) fail("standard input ends inside a symbol");
  scanner.print();
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
#ifdef F_SETPIPE_SZ
  // Fewer switches between the two processes; where it is refused, things go on as before.
  static_cast<void>(fcntl(STDIN_FILENO, F_SETPIPE_SZ, static_cast<int>(kReadBytes)));
#endif
  if (arguments.symbol_bits == 16) {
    run<std::uint16_t>(arguments);
  } else if (arguments.symbol_bits == 32) {
    run<std::uint32_t>(arguments);
  } else {
    fail("--bits is 16 or 32");
  }
  return 0;
}
