#include "grammar/grammar_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/adaptive_number.h"
#include "base/ans_encoder.h"
#include "base/bytes.h"
#include "base/check.h"
#include "base/range_encoder.h"
#include "grammar/body_block.h"
#include "grammar/symbol_code.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

void pad(base::Bytes& bytes, std::uint64_t claimed) {
  const std::uint64_t least = (claimed + kMostSymbolsPerByte - 1) / kMostSymbolsPerByte;
  bytes.resize(std::max<std::uint64_t>(bytes.size(), least));
}

// From the lowest bit of each byte up.
class BitWriter {
 public:
  void put(std::uint64_t value, unsigned width) {
    pending_ |= value << filled_;
    for (filled_ += width; filled_ >= 8; filled_ -= 8, pending_ >>= 8) {
      bytes_.push_back(static_cast<std::uint8_t>(pending_));
    }
  }
  [[nodiscard]] base::Bytes finish() {
    if (filled_ > 0) bytes_.push_back(static_cast<std::uint8_t>(pending_));
    return std::move(bytes_);
  }

 private:
  base::Bytes bytes_;
  std::uint64_t pending_ = 0;
  unsigned filled_ = 0;
};

// Which symbol of which kind it is.
struct Named {
  SymbolKind kind{};
  std::size_t symbol_class = 0;
  std::uint32_t index = 0;  // in its class
};

class Encoder {
 public:
  Encoder(const Grammar& grammar, std::span<const Measure> terminal_measures)
      : grammar_(grammar),
        terminal_measures_(terminal_measures),
        terminal_count_(static_cast<std::uint32_t>(terminal_measures.size())) {
    count_uses();
    number_terminals();
    number_rules();
    choose_row();
    measure_rules();
  }

  StoredGrammar encode(const EncodeLimits& limits) {
    const std::vector<std::uint32_t> cuts = cut(limits);
    count_codes();
    StoredGrammar stored;
    const std::uint32_t block_rules = std::max(limits.block_rules, 1U);
    for (std::uint32_t first = 0; first < rule_count();
         first += std::min(block_rules, rule_count() - first)) {
      stored.blocks.push_back(encode_block(first, std::min(block_rules, rule_count() - first)));
    }
    std::vector<ClassCounts> fresh;
    ClassCounts known{};
    std::vector<bool> is_known(rule_count());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const ClassCounts before = known;
      stored.chunks.push_back(
          encode_chunk(grammar_.rule(0).subspan(cuts[i], cuts[i + 1] - cuts[i]), known, is_known));
      fresh.push_back(known);
      for (std::size_t c = 0; c < kClasses; ++c) fresh.back()[c] -= before[c];
    }
    stored.symbol_table = encode_table(block_rules, fresh);
    return stored;
  }

 private:
  [[nodiscard]] std::uint32_t rule_count() const { return grammar_.rule_count() - 1; }
  // By the symbol's number in `grammar_`.
  [[nodiscard]] std::size_t place(Symbol symbol) const {
    return is_rule(symbol) ? terminal_count_ + std::size_t{rule_index(symbol)} : symbol;
  }

  void count_uses() {
    uses_.assign(std::size_t{terminal_count_} + grammar_.rule_count(), 0);
    for (const Symbol symbol : grammar_.symbols) ++uses_[place(symbol)];
  }

  void number_terminals() {
    names_.resize(uses_.size());
    for (std::uint32_t terminal = 0; terminal < terminal_count_; ++terminal) {
      const std::size_t c = class_of(uses_[terminal]);
      names_[terminal] = {SymbolKind::terminal, c, terminals_in_[c]++};
    }
  }

  // In each class first those that the start rule uses, in the order of their first uses.
  void number_rules() {
    const auto name = [this](std::uint32_t rule) {
      const std::size_t at = terminal_count_ + std::size_t{rule};
      const std::size_t c = class_of(uses_[at]);
      names_[at] = {SymbolKind::rule, c, rules_in_[c]++};
    };
    std::vector<bool> seen(grammar_.rule_count());
    for (const Symbol symbol : grammar_.rule(0)) {
      if (!is_rule(symbol) || seen[rule_index(symbol)]) continue;
      seen[rule_index(symbol)] = true;
      name(rule_index(symbol));
    }
    for (std::uint32_t rule = 1; rule < grammar_.rule_count(); ++rule) {
      if (!seen[rule]) name(rule);
    }
    first_rule_ = begins_of(rules_in_);
    by_number_.resize(rule_count());
    for (std::uint32_t rule = 1; rule < grammar_.rule_count(); ++rule) {
      by_number_[number(names_[terminal_count_ + std::size_t{rule}])] = rule;
    }
  }
  [[nodiscard]] std::uint32_t number(const Named& rule) const {
    return first_rule_[rule.symbol_class] + rule.index;
  }

  // Whatever they derive, without recursion: a grammar can be as deep as it has rules.
  void measure_rules() {
    measures_.resize(grammar_.rule_count());
    struct Place {
      std::uint32_t rule;
      std::uint32_t at;
    };
    std::vector<bool> seen(grammar_.rule_count());
    std::vector<Place> path;
    for (std::uint32_t root = 1; root < grammar_.rule_count(); ++root) {
      if (seen[root]) continue;
      seen[root] = true;
      path.push_back({root, grammar_.begin[root]});
      while (!path.empty()) {
        Place& top = path.back();
        if (top.at == grammar_.begin[top.rule + 1]) {
          measures_[top.rule] = measure(grammar_.rule(top.rule));
          path.pop_back();
          continue;
        }
        const Symbol symbol = grammar_.symbols[top.at++];
        if (!is_rule(symbol) || seen[rule_index(symbol)]) continue;
        seen[rule_index(symbol)] = true;
        path.push_back({rule_index(symbol), grammar_.begin[rule_index(symbol)]});
      }
    }
  }
  [[nodiscard]] Measure measure(std::span<const Symbol> symbols) const {
    Measure sum;
    for (const Symbol symbol : symbols) {
      sum =
          concat(sum, is_rule(symbol) ? measures_[rule_index(symbol)] : terminal_measures_[symbol]);
    }
    if (sum.length > kMostEvents) throw Error("the grammar derives too many events");
    return sum;
  }

  // Where chunks of nearly the same number of symbols begin and end.
  [[nodiscard]] std::vector<std::uint32_t> cut(const EncodeLimits& limits) const {
    const std::uint64_t count = grammar_.begin[1];
    const auto pieces = std::clamp<std::uint64_t>(count / std::max(limits.min_chunk_symbols, 1U), 1,
                                                  std::max(limits.max_chunks, 1U));
    std::vector<std::uint32_t> cuts = {0};
    for (std::uint64_t i = 1; i <= pieces && count > 0; ++i) {
      cuts.push_back(static_cast<std::uint32_t>(count * i / pieces));
    }
    return cuts;
  }

  void count_codes() {
    std::array<std::uint64_t, kSymbolCodes> start{};
    std::array<std::uint64_t, kClasses> terminals{};
    std::vector<bool> seen(grammar_.rule_count());
    for (const Symbol symbol : grammar_.rule(0)) {
      const Named& named = names_[place(symbol)];
      const bool is_fresh = is_rule(symbol) && !seen[rule_index(symbol)];
      if (is_fresh) seen[rule_index(symbol)] = true;
      ++start[symbol_code(is_fresh ? SymbolKind::fresh : named.kind, named.symbol_class)];
    }
    for (std::size_t c = 0; c < kClasses; ++c) terminals[c] = terminals_in_[c];
    start_codes_ = base::AnsShares::from_counts(start);
    terminal_codes_ = base::AnsShares::from_counts(terminals);
  }

  // Chooses how many rules come before the terminals in the row of all symbols, and the width of
  // the narrow numbers, so that bodies are short.
  void choose_row() {
    widths_.wide = static_cast<unsigned>(std::bit_width(
        std::max<std::uint64_t>(std::uint64_t{terminal_count_} + rule_count(), 1) - 1));
    const ClassCounts first_terminal = begins_of(terminals_in_);
    std::vector<std::uint64_t> terminal_uses(terminal_count_);
    std::vector<std::uint64_t> rule_uses(rule_count());
    for (std::uint32_t rule = 1; rule < grammar_.rule_count(); ++rule) {
      for (const Symbol symbol : grammar_.rule(rule)) {
        const Named& named = names_[place(symbol)];
        ++(is_rule(symbol) ? rule_uses[number(named)]
                           : terminal_uses[first_terminal[named.symbol_class] + named.index]);
      }
    }
    // How many uses the first so many have.
    const auto sums_of = [](const std::vector<std::uint64_t>& uses) {
      std::vector<std::uint64_t> sums = {0};
      for (const std::uint64_t count : uses) sums.push_back(sums.back() + count);
      return sums;
    };
    const std::vector<std::uint64_t> terminals = sums_of(terminal_uses);
    const std::vector<std::uint64_t> rules = sums_of(rule_uses);
    const std::uint64_t all = terminals.back() + rules.back();
    std::uint64_t least_bits = UINT64_MAX;
    for (std::size_t c = 0; c < kClasses; ++c) {
      const std::uint64_t top = first_rule_[c];
      for (unsigned narrow = 0; narrow <= widths_.wide; ++narrow) {
        // What the narrow numbers reach: rules, then terminals, then rules again.
        std::uint64_t reach = std::uint64_t{1} << narrow;
        const std::uint64_t first = std::min(reach, top);
        reach -= first;
        const std::uint64_t second = std::min<std::uint64_t>(reach, terminal_count_);
        reach -= second;
        const std::uint64_t third = std::min<std::uint64_t>(first + reach, rule_count());
        const std::uint64_t narrow_ones = rules[first == top ? third : first] + terminals[second];
        const std::uint64_t bits = narrow_ones * narrow + (all - narrow_ones) * widths_.wide;
        if (bits < least_bits) {
          least_bits = bits;
          widths_.narrow = narrow;
          top_rules_ = first_rule_[c];
        }
      }
    }
    numbers_.resize(names_.size());
    for (std::size_t at = 0; at < names_.size(); ++at) {
      const Named& named = names_[at];
      if (named.kind == SymbolKind::terminal) {
        numbers_[at] = top_rules_ + first_terminal[named.symbol_class] + named.index;
      } else if (at > terminal_count_) {  // not the start rule
        numbers_[at] = number(named) + (number(named) < top_rules_ ? 0 : terminal_count_);
      }
    }
  }

  [[nodiscard]] base::Bytes encode_block(std::uint32_t first, std::uint32_t count) const {
    base::ByteWriter lengths;
    BitWriter wide;
    BitWriter numbers;
    std::uint64_t long_ones = 0;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::span<const Symbol> symbols = grammar_.rule(by_number_[first + i]);
      PATHSPOOL_CHECK(symbols.size() >= kLeastBody);
      if (symbols.size() > kLeastBody) {
        lengths.varint(i - next);
        lengths.varint(symbols.size() - kLeastBody);
        next = i + 1;
        ++long_ones;
      }
      for (const Symbol symbol : symbols) {
        const std::uint32_t number = numbers_[place(symbol)];
        wide.put(widths_.is_wide(number) ? 1 : 0, 1);
        numbers.put(number, widths_.is_wide(number) ? widths_.wide : widths_.narrow);
      }
    }
    base::ByteWriter writer;
    writer.varint(long_ones);
    writer.bytes(lengths.view());
    writer.bytes(wide.finish());
    writer.bytes(numbers.finish());
    return writer.take();
  }

  [[nodiscard]] StoredChunk encode_chunk(std::span<const Symbol> symbols, ClassCounts& known,
                                         std::vector<bool>& is_known) const {
    base::AnsEncoder coder;
    for (const Symbol symbol : symbols) {
      const Named& named = names_[place(symbol)];
      const std::size_t c = named.symbol_class;
      if (!is_rule(symbol)) {
        coder.code(start_codes_, symbol_code(SymbolKind::terminal, c));
        coder.choice(base::EvenChoice(terminals_in_[c]), named.index);
      } else if (is_known[number(named)]) {
        coder.code(start_codes_, symbol_code(SymbolKind::rule, c));
        coder.choice(base::EvenChoice(known[c]), named.index);
      } else {
        PATHSPOOL_CHECK(named.index == known[c]);
        coder.code(start_codes_, symbol_code(SymbolKind::fresh, c));
        is_known[number(named)] = true;
        ++known[c];
      }
    }
    StoredChunk chunk;
    chunk.bytes = coder.finish();
    pad(chunk.bytes, symbols.size());
    chunk.symbol_count = static_cast<std::uint32_t>(symbols.size());
    chunk.measure = measure(symbols);
    return chunk;
  }

  [[nodiscard]] base::Bytes encode_table(std::uint32_t block_rules,
                                         std::span<const ClassCounts> fresh) const {
    base::RangeEncoder range;
    TableModels models;
    for (const std::uint32_t count : rules_in_) models.rules.encode(range, count);
    const auto put = [&](const base::AnsShares& shares, std::size_t codes) {
      for (std::size_t code = 0; code < codes; ++code)
        models.shares.encode(range, shares.size(code));
    };
    put(terminal_codes_, kClasses);
    put(start_codes_, kSymbolCodes);
    for (const ClassCounts& counts : fresh) {
      for (std::size_t c = 0; c < kClasses; ++c) {
        if (rules_in_[c] != 0) models.fresh[c].encode(range, counts[c]);
      }
    }
    const base::Bytes numbers = range.finish();

    base::AnsEncoder terminals;
    for (std::uint32_t i = 0; i < terminal_count_; ++i) {
      terminals.code(terminal_codes_, static_cast<std::uint32_t>(names_[i].symbol_class));
    }
    base::ByteWriter writer;
    writer.varint(terminal_count_);
    writer.varint(rule_count());
    writer.varint(block_rules);
    writer.varint(top_rules_);
    writer.varint(widths_.narrow);
    writer.varint(numbers.size());
    writer.bytes(numbers);
    writer.bytes(terminals.finish());
    base::Bytes bytes = writer.take();
    pad(bytes, terminal_count_);
    return bytes;
  }

  const Grammar& grammar_;
  std::span<const Measure> terminal_measures_;
  std::uint32_t terminal_count_;
  std::vector<std::uint32_t> uses_;       // by place
  std::vector<Named> names_;              // by place
  std::vector<std::uint32_t> numbers_;    // by place: in the row of all symbols
  std::vector<std::uint32_t> by_number_;  // where the grammar has the rule
  std::vector<Measure> measures_;         // by rule of the grammar
  ClassCounts terminals_in_{};
  ClassCounts rules_in_{};
  ClassCounts first_rule_{};
  base::AnsShares start_codes_;
  std::uint32_t top_rules_ = 0;  // so many come before the terminals
  NumberWidths widths_;
  base::AnsShares terminal_codes_;
};

}  // namespace

StoredGrammar encode_grammar(const Grammar& grammar, std::span<const Measure> terminal_measures,
                             const EncodeLimits& limits) {
  return Encoder(grammar, terminal_measures).encode(limits);
}

}  // namespace pathspool::grammar
