#include "grammar/grammar_reader.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/adaptive_number.h"
#include "base/range_decoder.h"
#include "grammar/chunk_decoder.h"
#include "grammar/grammar_model.h"
#include "grammar/rule_model.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

constexpr const char* kTooMany = "the grammar claims more than its bytes can hold";

[[noreturn]] void refuse(const char* what) { throw Error(what); }

// The decoding coder of rule_model.h. Structure that cannot be is refused at once; whether the
// bytes sufficed is asked once, at the end.
class Coder {
 public:
  explicit Coder(base::ByteView bytes) : range_(bytes) {}

  void bit(base::AdaptiveBit& model, bool& one) { one = range_.bit(model); }
  void number(base::AdaptiveNumber& model, std::uint64_t& number) { number = model.decode(range_); }
  void follower(const FollowTable& table, std::uint32_t context, std::uint32_t& terminal) {
    const std::uint32_t total = table.total(context);
    if (total == 0) refuse("the grammar has a terminal that nothing can follow");
    const auto found = table.find(context, static_cast<std::uint32_t>(range_.find_share(total)));
    range_.take_share(found.share.begin, found.share.size);
    terminal = found.terminal;
  }
  void member(const Group& group, std::size_t count, std::uint32_t& key) {
    const std::uint32_t total = group.total(count);
    if (total == 0) refuse("the grammar refers to a symbol that does not exist");
    const std::size_t index = group.find(static_cast<std::uint32_t>(range_.find_share(total)));
    const Share share = group.share(index, count);
    range_.take_share(share.begin, share.size);
    key = group.key(index);
  }
  void pick(std::span<const std::uint32_t> weights, std::size_t& index) {
    std::uint64_t total = 0;
    for (const std::uint32_t weight : weights) total += weight;
    const std::uint64_t point = range_.find_share(total);
    std::uint64_t begin = 0;
    index = 0;
    while (begin + weights[index] <= point) begin += weights[index++];
    range_.take_share(begin, weights[index]);
  }
  [[nodiscard]] bool failed() const { return range_.failed(); }

 private:
  base::RangeDecoder range_;
};

struct Header {
  std::uint32_t terminal_count;
  std::uint32_t rule_count;
  base::ByteView coded;
};

Header read_header(base::ByteView symbol_table) {
  base::ByteReader reader(symbol_table);
  Header header{};
  header.terminal_count = reader.varint32();
  header.rule_count = reader.varint32();
  if (reader.failed()) refuse("the grammar's symbol table is cut short");
  const std::uint64_t most = kMostFactsPerByte * symbol_table.size();
  if (std::max(header.terminal_count, header.rule_count) > most ||
      std::max(header.terminal_count, header.rule_count) >= kRuleBit) {
    refuse(kTooMany);
  }
  header.coded = reader.bytes(reader.left());
  return header;
}

std::uint32_t decode_weight(Coder& coder, base::AdaptiveNumber& model) {
  std::uint64_t stored = 0;
  coder.number(model, stored);
  if (stored >= kWeightClasses) refuse("a weight in the grammar is too large");
  return class_weight(static_cast<std::uint32_t>(stored));
}

void decode_followers(Coder& coder, TableModels& models, SymbolTable& table, std::uint64_t most) {
  FollowTable& follow = table.follow();
  const std::uint64_t count = table.terminal_count();
  for (std::uint64_t context = 0; context <= count; ++context) {
    std::uint64_t followers = 0;
    coder.number(models.follower_count, followers);
    if (followers > most - follow.size()) refuse(kTooMany);
    follow.begin_context();
    std::uint64_t terminal = context;
    for (std::uint64_t i = 0; i < followers; ++i) {
      std::uint64_t step = 0;
      coder.number(i == 0 ? models.first_follower : models.follower_gap, step);
      // A step too far wraps or lands beyond the last terminal; it must not wrap to a smaller one.
      if (i == 0) {
        terminal += static_cast<std::uint64_t>(base::unzigzag(step));
      } else {
        terminal = step < count ? terminal + step + 1 : count;
      }
      if (terminal >= count) refuse("the grammar mentions a terminal that does not exist");
      const std::uint32_t weight = decode_weight(coder, models.follower_weight);
      if (!follow.add(static_cast<std::uint32_t>(terminal), weight)) {
        refuse("weights in the grammar are too large");
      }
    }
  }
  follow.finish();
}

SymbolTable decode_table(base::ByteView symbol_table, std::vector<Measure> terminal_measures) {
  const Header header = read_header(symbol_table);
  if (header.terminal_count != terminal_measures.size()) {
    refuse("the grammar and its dictionary differ in the number of terminals");
  }
  for (const Measure& measure : terminal_measures) {
    if (measure.length == 0 || measure.length > kMostEvents) {
      refuse("a terminal of the grammar derives no events, or too many");
    }
  }
  SymbolTable table(std::move(terminal_measures));
  Coder coder(header.coded);
  TableModels models;
  for (std::uint32_t i = 0; i < header.terminal_count; ++i) {
    if (!table.add_terminal(decode_weight(coder, models.terminal_weight))) {
      refuse("weights in the grammar are too large");
    }
  }
  decode_followers(coder, models, table, kMostFactsPerByte * symbol_table.size());
  FactModels fact_models(header.terminal_count);
  table.reserve_rules(header.rule_count);
  for (std::uint32_t i = 0; i < header.rule_count; ++i) {
    RuleFacts facts;
    std::size_t children = 0;
    fact_models.code(coder, table, facts, children);
    if (coder.failed()) break;
    if (!table.add_rule(facts, children)) refuse("weights in the grammar are too large");
  }
  if (coder.failed()) refuse("the grammar's symbol table is cut short");
  table.finish();
  return table;
}

}  // namespace

std::uint32_t GrammarReader::terminal_count(base::ByteView symbol_table) {
  return read_header(symbol_table).terminal_count;
}

GrammarReader::GrammarReader(base::ByteView symbol_table, std::vector<Measure> terminal_measures,
                             std::span<const std::uint32_t> block_rules, FetchBlock fetch_block)
    : table_(decode_table(symbol_table, std::move(terminal_measures))),
      fetch_block_(std::move(fetch_block)),
      block_symbols_(block_rules.size()),
      bodies_(table_.rule_count()) {
  for (const std::uint32_t rules : block_rules) {
    if (rules == 0 || rules > table_.rule_count() - block_begin_.back()) {
      refuse("a block of the grammar claims rules that do not exist");
    }
    block_begin_.push_back(block_begin_.back() + rules);
  }
  if (block_begin_.back() != table_.rule_count()) {
    refuse("the blocks of the grammar do not hold all its rules");
  }
}

void GrammarReader::decode_block_of(std::uint32_t rule) {
  const auto after = std::upper_bound(block_begin_.begin(), block_begin_.end(), rule);
  const auto block = static_cast<std::uint32_t>(after - 1 - block_begin_.begin());
  const std::uint32_t first_rule = block_begin_[block];
  const std::uint32_t end_rule = block_begin_[block + 1];
  if (!final_index_) final_index_.emplace(table_);

  const base::Bytes bytes = fetch_block_(block);
  const std::uint64_t most = kMostSymbolsPerByte * bytes.size();
  std::vector<Symbol> symbols;
  std::vector<std::size_t> ends;
  Coder coder(bytes);
  BodyModels models;
  for (std::uint32_t number = first_rule; number < end_rule; ++number) {
    models.code(
        coder, table_, *final_index_, number, [](std::size_t) { return Symbol{0}; },
        [&](Symbol symbol) {
          if (symbols.size() >= most) refuse(kTooMany);
          symbols.push_back(symbol);
        });
    ends.push_back(symbols.size());
  }
  if (coder.failed()) refuse("a block of the grammar is cut short");
  symbols.shrink_to_fit();
  block_symbols_[block] = std::move(symbols);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    bodies_[first_rule + i] = std::span(block_symbols_[block]).subspan(begin, ends[i] - begin);
    begin = ends[i];
  }
  ++blocks_decoded_;
  rules_decoded_ += end_rule - first_rule;
}

std::vector<std::vector<Symbol>> GrammarReader::decode_chunks(
    std::span<const StoredChunkView> chunks) const {
  return ChunkDecoder(table_).decode(chunks);
}

std::vector<Symbol> GrammarReader::decode_chunk(base::ByteView bytes, std::uint32_t symbol_count,
                                                const Measure& expected) const {
  const StoredChunkView chunk{bytes, symbol_count, expected};
  return std::move(ChunkDecoder(table_).decode(std::span(&chunk, 1)).front());
}

std::uint64_t GrammarReader::memory_bytes() const {
  std::uint64_t bytes =
      table_.memory_bytes() + 4 * block_begin_.capacity() + bodies_.capacity() * sizeof(bodies_[0]);
  if (final_index_) bytes += final_index_->memory_bytes();
  for (const auto& symbols : block_symbols_) bytes += sizeof symbols + 4 * symbols.capacity();
  return bytes;
}

}  // namespace pathspool::grammar
