#include "grammar/grammar_encoder.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/range_encoder.h"
#include "grammar/grammar_model.h"
#include "grammar/rule_model.h"
#include "grammar/symbol_table.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

constexpr std::uint32_t kUnnumbered = UINT32_MAX;

// The order in which rules are stored, and which use of each costs only a flag.
struct Order {
  std::vector<std::uint32_t> rules;   // by number: where the grammar has it
  std::vector<std::uint32_t> number;  // by place in the grammar
  std::vector<bool> is_new;           // by symbol of the grammar
};

Order order_rules(const Grammar& grammar) {
  Order order;
  order.number.assign(grammar.rule_count(), kUnnumbered);
  order.is_new.assign(grammar.symbols.size(), false);
  std::vector<bool> seen(grammar.rule_count(), false);
  struct Place {
    std::uint32_t rule;
    std::uint32_t at;
  };
  // A grammar can be as deep as it has rules, so the walk has its own stack.
  std::vector<Place> path = {{0, grammar.begin[1]}};
  while (!path.empty()) {
    Place& place = path.back();
    if (place.at == grammar.begin[place.rule]) {
      if (place.rule != 0) {
        order.number[place.rule] = static_cast<std::uint32_t>(order.rules.size());
        order.rules.push_back(place.rule);
      }
      path.pop_back();
      continue;
    }
    const Symbol symbol = grammar.symbols[--place.at];
    if (!is_rule(symbol) || seen[rule_index(symbol)]) continue;
    const std::uint32_t rule = rule_index(symbol);
    seen[rule] = true;
    order.is_new[place.at] = true;
    path.push_back({rule, grammar.begin[rule + 1]});
  }
  return order;
}

// A body or a chunk: part of the grammar's symbols.
struct Piece {
  std::uint32_t begin;
  std::uint32_t end;
};

base::Bytes pad(base::Bytes bytes, std::uint64_t claimed, std::uint64_t most_per_byte) {
  const std::uint64_t least = (claimed + most_per_byte - 1) / most_per_byte;
  bytes.resize(std::max<std::uint64_t>(bytes.size(), least));
  return bytes;
}

// The encoding coder of rule_model.h.
class Coder {
 public:
  void bit(base::AdaptiveBit& model, bool one) { range_.bit(model, one); }
  void number(base::AdaptiveNumber& model, std::uint64_t number) { model.encode(range_, number); }
  void follower(const FollowTable& table, std::uint32_t context, std::uint32_t terminal) {
    share(table.share(context, terminal));
  }
  void member(const Group& group, std::size_t count, std::uint32_t key) {
    const std::size_t index = group.candidates(key) - 1;
    PATHSPOOL_CHECK(index < count && group.key(index) == key);
    share(group.share(index, count));
  }
  void pick(std::span<const std::uint32_t> weights, std::size_t index) {
    std::uint64_t begin = 0;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (i < index) begin += weights[i];
      total += weights[i];
    }
    range_.share(begin, weights[index], total);
  }
  [[nodiscard]] base::Bytes finish() { return range_.finish(); }

 private:
  void share(const Share& share) {
    PATHSPOOL_CHECK(share.size != 0);
    range_.share(share.begin, share.size, share.total);
  }

  base::RangeEncoder range_;
};

class Encoder {
 public:
  Encoder(const Grammar& grammar, std::span<const Measure> terminal_measures)
      : grammar_(grammar),
        order_(order_rules(grammar)),
        symbols_(renumbered()),
        table_({terminal_measures.begin(), terminal_measures.end()}) {}

  StoredGrammar encode(const EncodeLimits& limits) {
    const std::vector<Piece> chunks = cut(limits);
    StoredGrammar stored;
    stored.symbol_table = encode_table(chunks);
    stored.blocks = encode_blocks(limits.block_symbols);
    std::size_t unused = table_.unused().size();
    for (const Piece& chunk : chunks) stored.chunks.push_back(encode_chunk(chunk, unused));
    PATHSPOOL_CHECK(unused == 0);
    return stored;
  }

 private:
  [[nodiscard]] std::vector<Symbol> renumbered() const {
    std::vector<Symbol> symbols = grammar_.symbols;
    for (Symbol& symbol : symbols) {
      if (is_rule(symbol)) symbol = rule_symbol(order_.number[rule_index(symbol)]);
    }
    return symbols;
  }
  [[nodiscard]] std::uint32_t rule_count() const {
    return static_cast<std::uint32_t>(order_.rules.size());
  }
  [[nodiscard]] Piece body(std::uint32_t number) const {
    const std::uint32_t rule = order_.rules[number];
    return {grammar_.begin[rule], grammar_.begin[rule + 1]};
  }
  [[nodiscard]] std::span<const Symbol> symbols(Piece piece) const {
    return std::span(symbols_).subspan(piece.begin, piece.end - piece.begin);
  }
  [[nodiscard]] Measure measure(Piece piece) const {
    Measure sum;
    for (const Symbol symbol : symbols(piece)) sum = concat(sum, table_.measure(symbol));
    if (sum.length > kMostEvents) throw Error("the grammar derives too many events");
    return sum;
  }

  // Pieces of nearly the same number of symbols.
  [[nodiscard]] std::vector<Piece> cut(const EncodeLimits& limits) const {
    const std::uint64_t count = grammar_.begin[1];
    const auto pieces = std::clamp<std::uint64_t>(count / std::max(limits.min_chunk_symbols, 1U), 1,
                                                  std::max(limits.max_chunks, 1U));
    std::vector<Piece> chunks;
    for (std::uint64_t i = 0; i < pieces && count > 0; ++i) {
      chunks.push_back({static_cast<std::uint32_t>(count * i / pieces),
                        static_cast<std::uint32_t>(count * (i + 1) / pieces)});
    }
    return chunks;
  }

  base::Bytes encode_table(std::span<const Piece> chunks) {
    base::ByteWriter writer;
    writer.varint(table_.terminal_count());
    writer.varint(rule_count());
    Coder coder;
    const std::vector<std::uint32_t> uses = count_uses();
    TableModels models;
    for (std::uint32_t terminal = 0; terminal < table_.terminal_count(); ++terminal) {
      const std::uint32_t stored = weight_class(uses[terminal]);
      coder.number(models.terminal_weight, stored);
      PATHSPOOL_CHECK(table_.add_terminal(class_weight(stored)));
    }
    count_followers(chunks);
    encode_followers(coder, models);
    encode_facts(coder, std::span(uses).subspan(table_.terminal_count()));
    writer.bytes(coder.finish());
    const auto most =
        std::max<std::uint64_t>({table_.terminal_count(), rule_count(), table_.follow().size()});
    return pad(writer.take(), most, kMostFactsPerByte);
  }

  // Of the terminals, then of the rules.
  [[nodiscard]] std::vector<std::uint32_t> count_uses() const {
    std::vector<std::uint32_t> uses(std::size_t{table_.terminal_count()} + rule_count(), 0);
    const auto count = [&](Piece piece) {
      for (const Symbol symbol : symbols(piece)) {
        ++uses[is_rule(symbol) ? table_.terminal_count() + rule_index(symbol) : symbol];
      }
    };
    count({0, grammar_.begin[1]});
    for (std::uint32_t number = 0; number < rule_count(); ++number) count(body(number));
    return uses;
  }

  // Neighbouring terminals where two symbols meet: sorted by the first, counting, then each
  // context's by the second.
  void count_followers(std::span<const Piece> chunks) {
    const std::uint32_t contexts = table_.terminal_count() + 1;
    const auto ends = first_and_last();
    std::vector<std::uint32_t> begin(contexts + std::size_t{1}, 0);
    const auto each_pair = [&](const auto& visit) {
      const auto visit_piece = [&](Piece piece) {
        std::uint32_t context = table_.start();
        for (const Symbol symbol : symbols(piece)) {
          const auto [first, last] =
              is_rule(symbol) ? ends[rule_index(symbol)] : std::pair(symbol, symbol);
          visit(context, first);
          context = last;
        }
      };
      for (const Piece& chunk : chunks) visit_piece(chunk);
      for (std::uint32_t number = 0; number < rule_count(); ++number) visit_piece(body(number));
    };
    each_pair([&](std::uint32_t context, std::uint32_t) { ++begin[context + 1]; });
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::uint32_t> followers(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    each_pair(
        [&](std::uint32_t context, std::uint32_t first) { followers[at[context]++] = first; });

    std::vector<std::uint32_t> counts(table_.terminal_count(), 0);
    std::vector<std::uint32_t> distinct;
    for (std::uint32_t context = 0; context < contexts; ++context) {
      distinct.clear();
      for (std::uint32_t i = begin[context]; i != begin[context + 1]; ++i) {
        if (counts[followers[i]]++ == 0) distinct.push_back(followers[i]);
      }
      std::sort(distinct.begin(), distinct.end());
      table_.follow().begin_context();
      for (const std::uint32_t terminal : distinct) {
        PATHSPOOL_CHECK(
            table_.follow().add(terminal, class_weight(weight_class(counts[terminal]))));
        counts[terminal] = 0;
      }
    }
    table_.follow().finish();
  }

  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> first_and_last() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends(rule_count());
    for (std::uint32_t number = 0; number < rule_count(); ++number) {
      const Symbol front = symbols(body(number)).front();
      const Symbol back = symbols(body(number)).back();
      ends[number] = {is_rule(front) ? ends[rule_index(front)].first : front,
                      is_rule(back) ? ends[rule_index(back)].second : back};
    }
    return ends;
  }

  void encode_followers(Coder& coder, TableModels& models) {
    const FollowTable& follow = table_.follow();
    for (std::uint32_t context = 0; context <= table_.terminal_count(); ++context) {
      const std::span<const std::uint32_t> followers = follow.followers(context);
      coder.number(models.follower_count, followers.size());
      std::int64_t previous = 0;
      for (const std::uint32_t terminal : followers) {
        if (terminal == followers.front()) {
          coder.number(models.first_follower,
                       base::zigzag(std::int64_t{terminal} - std::int64_t{context}));
        } else {
          coder.number(models.follower_gap, static_cast<std::uint64_t>(terminal - previous - 1));
        }
        previous = terminal;
        coder.number(models.follower_weight, weight_class(follow.share(context, terminal).size));
      }
    }
  }

  // Fills the table as the reader will.
  void encode_facts(Coder& coder, std::span<const std::uint32_t> uses) {
    FactModels models(table_.terminal_count());
    table_.reserve_rules(rule_count());
    for (std::uint32_t number = 0; number < rule_count(); ++number) {
      const Piece piece = body(number);
      PATHSPOOL_CHECK(piece.end - piece.begin >= 2);
      RuleFacts facts;
      facts.measure = measure(piece);
      facts.first = table_.first(symbols_[piece.begin]);
      facts.last = table_.last(symbols_[piece.end - 1]);
      facts.weight = uses[number] - 1;
      auto children = static_cast<std::size_t>(
          std::count(order_.is_new.begin() + piece.begin, order_.is_new.begin() + piece.end, true));
      models.code(coder, table_, facts, children);
      PATHSPOOL_CHECK(table_.add_rule(facts, children));
    }
  }

  [[nodiscard]] std::vector<StoredRuleBlock> encode_blocks(std::uint32_t block_symbols) const {
    const FinalIndex index(table_);
    std::vector<StoredRuleBlock> blocks;
    for (std::uint32_t number = 0; number < rule_count();) {
      StoredRuleBlock block;
      const std::uint32_t first_rule = number;
      Coder coder;
      BodyModels models;
      std::uint64_t count = 0;
      do {
        const auto symbols_of_body = symbols(body(number));
        models.code(
            coder, table_, index, number, [&](std::size_t done) { return symbols_of_body[done]; },
            [](Symbol) {});
        count += symbols_of_body.size();
        ++number;
      } while (number < rule_count() && count < block_symbols);
      block.rule_count = number - first_rule;
      block.bytes = pad(coder.finish(), count, kMostSymbolsPerByte);
      blocks.push_back(std::move(block));
    }
    return blocks;
  }

  [[nodiscard]] StoredChunk encode_chunk(Piece piece, std::size_t& unused) const {
    StoredChunk chunk;
    base::ByteWriter writer;
    writer.varint(unused);
    chunk.symbol_count = piece.end - piece.begin;
    chunk.measure = measure(piece);
    Coder coder;
    NewRuleModel is_new;
    std::uint32_t context = table_.start();
    for (std::uint32_t at = piece.begin; at != piece.end; ++at) {
      const Symbol symbol = symbols_[at];
      const std::uint32_t limit = unused == 0 ? 0 : table_.unused()[unused - 1] + 1;
      const std::uint32_t first = table_.first(symbol);
      if (limit != 0) {
        const std::uint32_t first_of_top = table_.rule(limit - 1).first;
        coder.bit(is_new.flag(table_.follow().share(context, first_of_top)), order_.is_new[at]);
      }
      if (order_.is_new[at]) {
        PATHSPOOL_CHECK(symbol == rule_symbol(limit - 1));
        --unused;
      } else {
        const Group& group = table_.group(first);
        coder.follower(table_.follow(), context, first);
        coder.member(group, group.candidates(limit), is_rule(symbol) ? rule_index(symbol) + 1 : 0);
      }
      context = table_.last(symbol);
    }
    writer.bytes(coder.finish());
    chunk.bytes = pad(writer.take(), chunk.symbol_count, kMostSymbolsPerByte);
    return chunk;
  }

  const Grammar& grammar_;
  Order order_;
  std::vector<Symbol> symbols_;  // the grammar's, with the new numbers of rules
  SymbolTable table_;
};

}  // namespace

StoredGrammar encode_grammar(const Grammar& grammar, std::span<const Measure> terminal_measures,
                             const EncodeLimits& limits) {
  return Encoder(grammar, terminal_measures).encode(limits);
}

}  // namespace pathspool::grammar
