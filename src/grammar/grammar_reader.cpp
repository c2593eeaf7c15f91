#include "grammar/grammar_reader.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "base/adaptive_number.h"
#include "base/range_decoder.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

constexpr const char* kTooMany = "the grammar claims more than its bytes can hold";
constexpr const char* kNoSuchSymbol = "the grammar refers to a symbol that does not exist";

// While a rule is being measured.
constexpr std::uint64_t kUnderWay = UINT64_MAX;

[[noreturn]] void refuse(const char* what) { throw Error(what); }

struct Header {
  std::uint32_t terminal_count = 0;
  std::uint32_t rule_count = 0;
  std::uint32_t block_rules = 0;
  std::uint32_t top_rules = 0;
  std::uint32_t narrow_width = 0;
  base::ByteView numbers;
  base::ByteView terminals;
};

Header read_header(base::ByteView symbol_table) {
  base::ByteReader reader(symbol_table);
  Header header;
  header.terminal_count = reader.varint32();
  header.rule_count = reader.varint32();
  header.block_rules = reader.varint32();
  header.top_rules = reader.varint32();
  header.narrow_width = reader.varint32();
  header.numbers = reader.bytes(reader.varint());
  header.terminals = reader.bytes(reader.left());
  if (reader.failed() || header.block_rules == 0) refuse("the grammar's symbol table is cut short");
  if (header.terminal_count > kMostSymbolsPerByte * symbol_table.size() ||
      header.terminal_count >= kRuleBit || header.rule_count >= kRuleBit) {
    refuse(kTooMany);
  }
  return header;
}

base::AnsShares read_shares(base::RangeDecoder& range, TableModels& models, std::size_t codes) {
  std::vector<std::uint32_t> sizes;
  for (std::size_t code = 0; code < codes; ++code) {
    sizes.push_back(static_cast<std::uint32_t>(
        std::min<std::uint64_t>(models.shares.decode(range), base::kAnsShares + 1)));
  }
  base::AnsShares shares;
  if (!shares.set_sizes(std::move(sizes))) refuse("a distribution of the grammar is malformed");
  return shares;
}

}  // namespace

std::uint32_t GrammarReader::terminal_count(base::ByteView symbol_table) {
  return read_header(symbol_table).terminal_count;
}

GrammarReader::GrammarReader(base::ByteView symbol_table, std::vector<Measure> terminal_measures,
                             std::size_t chunk_count, std::span<const std::uint64_t> block_bytes,
                             FetchBlock fetch_block)
    : terminals_(std::move(terminal_measures)), fetch_block_(std::move(fetch_block)) {
  for (const Measure& measure : terminals_) {
    if (measure.length == 0 || measure.length > kMostEvents) {
      refuse("a terminal of the grammar derives no events, or too many");
    }
  }
  read_table(symbol_table, chunk_count, block_bytes);
  blocks_.resize(block_bytes.size());
  bodies_ = base::ZeroedArray<Body>(rule_count_);
  measures_ = base::ZeroedArray<Measure>(rule_count_);
}

void GrammarReader::read_table(base::ByteView symbol_table, std::size_t chunk_count,
                               std::span<const std::uint64_t> block_bytes) {
  const Header header = read_header(symbol_table);
  if (header.terminal_count != terminals_.size()) {
    refuse("the grammar and its dictionary differ in the number of terminals");
  }
  rule_count_ = header.rule_count;
  block_rules_ = header.block_rules;
  top_rules_ = header.top_rules;
  std::uint64_t all_bytes = 0;
  for (const std::uint64_t bytes : block_bytes) all_bytes += bytes;
  if (rule_count_ > kMostRulesPerByte * all_bytes) refuse(kTooMany);
  if ((std::uint64_t{rule_count_} + block_rules_ - 1) / block_rules_ != block_bytes.size()) {
    refuse("the blocks of the grammar do not hold all its rules");
  }

  const std::uint64_t symbols = terminals_.size() + std::uint64_t{rule_count_};
  widths_ = {header.narrow_width,
             static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(symbols, 1) - 1))};
  if (top_rules_ > rule_count_ || widths_.narrow > widths_.wide || widths_.wide > 32) {
    refuse(kTooMany);
  }

  base::RangeDecoder range(header.numbers);
  TableModels models;
  std::uint64_t rules = 0;
  for (std::size_t c = 0; c < kClasses; ++c) {
    const std::uint64_t count = models.rules.decode(range);
    if (count > rule_count_ - rules) refuse("the grammar's classes hold more rules than it has");
    rules_in_[c] = static_cast<std::uint32_t>(count);
    rules += count;
  }
  if (rules != rule_count_) refuse("the grammar's classes do not hold all its rules");
  first_rule_ = begins_of(rules_in_);
  const base::AnsShares terminal_codes = read_shares(range, models, kClasses);
  start_codes_ = base::AnsTable(read_shares(range, models, kSymbolCodes));
  ClassCounts known{};
  for (std::size_t chunk = 0; chunk < chunk_count; ++chunk) {
    known_.push_back(known);
    for (std::size_t c = 0; c < kClasses; ++c) {
      if (rules_in_[c] == 0) continue;
      const std::uint64_t fresh = models.fresh[c].decode(range);
      if (fresh > rules_in_[c] - known[c]) refuse("a chunk of the grammar brings unknown rules");
      known[c] += static_cast<std::uint32_t>(fresh);
    }
  }
  if (range.failed()) refuse("the grammar's symbol table is cut short");
  read_terminals(header.terminals, terminal_codes);
}

void GrammarReader::read_terminals(base::ByteView coded, const base::AnsShares& codes) {
  base::AnsDecoder decoder(coded);
  const base::AnsTable table(codes);
  if (table.is_empty() && !terminals_.empty()) refuse("the grammar's symbol table is cut short");
  std::vector<std::uint8_t> class_of_terminal(terminals_.size());
  ClassCounts counts{};
  for (std::uint8_t& c : class_of_terminal) {
    c = static_cast<std::uint8_t>(decoder.code(table));
    ++counts[c];
  }
  if (decoder.failed()) refuse("the grammar's symbol table is cut short");

  ClassCounts next = begins_of(counts);
  for (std::size_t c = 0; c < kClasses; ++c) {
    ranges_[symbol_code(SymbolKind::terminal, c)] = {base::EvenChoice(counts[c]), next[c], false};
    ranges_[symbol_code(SymbolKind::rule, c)] = {{}, rule_symbol(first_rule_[c]), true};
  }
  by_class_.resize(terminals_.size() + 1);  // one too many, so that there is always one
  for (std::uint32_t terminal = 0; terminal < class_of_terminal.size(); ++terminal) {
    by_class_[next[class_of_terminal[terminal]]++] = terminal;
  }
}

// What comes next cannot be foreseen, so hardly any branches.
inline Symbol GrammarReader::symbol_of(std::uint32_t number) const {
  const std::uint32_t after_top = number - top_rules_;
  const bool is_terminal = after_top < terminal_count();  // wraps for the top rules
  const Symbol terminal = by_class_[is_terminal ? after_top : 0];
  const std::uint32_t rule = number < top_rules_ ? number : number - terminal_count();
  if (!is_terminal && rule >= rule_count_) refuse(kNoSuchSymbol);
  return is_terminal ? terminal : rule_symbol(rule);
}

std::vector<Symbol> GrammarReader::decode_chunk(std::size_t chunk, base::ByteView bytes,
                                                std::uint32_t symbol_count) const {
  if (symbol_count > kMostSymbolsPerByte * bytes.size() ||
      (start_codes_.is_empty() && symbol_count != 0)) {
    refuse(kTooMany);
  }
  ClassCounts known = known_[chunk];
  Ranges ranges = ranges_;
  for (std::size_t c = 0; c < kClasses; ++c) {
    ranges[symbol_code(SymbolKind::rule, c)].choice = base::EvenChoice(known[c]);
  }
  base::AnsDecoder coder(bytes);
  std::vector<Symbol> symbols(symbol_count);
  for (Symbol& symbol : symbols) {
    const std::uint32_t code = coder.code(start_codes_);
    if (kind_of_code(code) != SymbolKind::fresh) {
      const Range& range = ranges[code];
      if (range.choice.count == 0) [[unlikely]]
        refuse(kNoSuchSymbol);
      const std::uint32_t at = range.first + coder.choice(range.choice);
      symbol = range.is_rules ? at : by_class_[at];
      continue;
    }
    const std::size_t c = class_of_code(code);
    if (known[c] == rules_in_[c]) refuse(kNoSuchSymbol);
    symbol = rule_symbol(first_rule_[c] + known[c]++);
    ranges[symbol_code(SymbolKind::rule, c)].choice.set_count(known[c]);
  }
  if (coder.failed()) refuse("a chunk of the grammar is cut short");
  return symbols;
}

void GrammarReader::unpack(std::uint32_t rule) {
  const BodyBlock& from = block(rule / block_rules_);
  const BodyBlock::Body body = from.body(rule % block_rules_);
  Symbol* const to = room_for(body.size);
  for (std::uint32_t i = 0; i < body.size; ++i) to[i] = symbol_of(from.number(body.first + i));
  bodies_[rule] = {to, body.size};
  ++rules_unpacked_;
}

const BodyBlock& GrammarReader::block(std::uint32_t number) {
  BodyBlock& block = blocks_[number];
  if (!block.is_read()) {
    BodyBlock read;
    const std::uint32_t first = number * block_rules_;
    if (!read.read(fetch_block_(number), std::min(block_rules_, rule_count_ - first), widths_)) {
      refuse("a block of the grammar is malformed");
    }
    block = std::move(read);
    ++blocks_read_;
  }
  return block;
}

Symbol* GrammarReader::room_for(std::uint32_t symbols) {
  constexpr std::uint32_t kUsual = 1U << 14;
  if (symbols > room_) {
    room_ = std::max(symbols, kUsual);
    unpacked_.push_back(std::make_unique_for_overwrite<Symbol[]>(room_));
    unpacked_symbols_ += room_;
    next_ = unpacked_.back().get();
  }
  room_ -= symbols;
  return std::exchange(next_, next_ + symbols);
}

Measure GrammarReader::measure(std::span<const Symbol> symbols) {
  Measure sum;
  for (const Symbol symbol : symbols) sum = concat(sum, measure(symbol));
  return sum;
}

void GrammarReader::measure_rule(std::uint32_t rule) {
  struct Open {
    std::uint32_t rule;
    std::span<const Symbol> rest;
    Measure sum;
  };
  std::vector<Open> open;
  const auto enter = [&](std::uint32_t inner) {
    open.push_back({inner, body(inner), {}});
    measures_[inner].length = kUnderWay;
  };
  try {
    enter(rule);
    while (!open.empty()) {
      Open& top = open.back();
      if (top.rest.empty()) {
        if (top.sum.length > kMostEvents) refuse("the grammar derives too many events");
        measures_[top.rule] = top.sum;
        open.pop_back();
        continue;
      }
      const Symbol symbol = top.rest.front();
      if (is_rule(symbol)) {
        const Measure& known = measures_[rule_index(symbol)];
        if (known.length == kUnderWay) refuse("a rule of the grammar derives itself");
        if (known.length == 0) {
          enter(rule_index(symbol));
          continue;
        }
        top.sum = concat(top.sum, known);
      } else {
        top.sum = concat(top.sum, terminals_[symbol]);
      }
      top.rest = top.rest.subspan(1);
    }
  } catch (...) {
    for (const Open& left : open) measures_[left.rule].length = 0;
    throw;
  }
}

std::uint64_t GrammarReader::memory_bytes() const {
  std::uint64_t bytes = sizeof *this + terminals_.capacity() * sizeof(Measure) +
                        4 * by_class_.capacity() + known_.capacity() * sizeof(ClassCounts) +
                        bodies_.bytes() + measures_.bytes();
  for (const BodyBlock& block : blocks_) bytes += sizeof block + block.memory_bytes();
  return bytes + unpacked_symbols_ * sizeof(Symbol);
}

}  // namespace pathspool::grammar
