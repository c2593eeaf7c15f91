#include "grammar/stored_grammar.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/grammar_encoder.h"
#include "grammar/grammar_reader.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

using Text = std::vector<Symbol>;

// Replaces the most frequent pair by a new rule until every pair occurs once: slow, obvious, and
// valid by construction once rules that are used once are put back.
Grammar naive_grammar(Text text) {
  std::vector<Text> bodies;
  for (;;) {
    std::map<std::pair<Symbol, Symbol>, std::size_t> last_at;
    std::map<std::pair<Symbol, Symbol>, int> counts;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      const std::pair pair(text[i], text[i + 1]);
      const auto at = last_at.find(pair);
      if (at != last_at.end() && at->second + 1 == i) continue;  // "aaa" holds "aa" once
      last_at[pair] = i;
      ++counts[pair];
    }
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](auto& a, auto& b) { return a.second < b.second; });
    if (most == counts.end() || most->second < 2) break;
    const auto [left, right] = most->first;
    Text next;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i + 1 < text.size() && text[i] == left && text[i + 1] == right) {
        next.push_back(rule_symbol(static_cast<std::uint32_t>(bodies.size() + 1)));
        ++i;
      } else {
        next.push_back(text[i]);
      }
    }
    bodies.push_back({left, right});
    text = std::move(next);
  }
  bodies.insert(bodies.begin(), std::move(text));

  std::vector<int> uses(bodies.size(), 0);
  for (const Text& body : bodies) {
    for (const Symbol symbol : body) {
      if (is_rule(symbol)) ++uses[rule_index(symbol)];
    }
  }
  std::vector<std::uint32_t> number(bodies.size(), 0);
  std::uint32_t kept = 1;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (uses[i] > 1) number[i] = kept++;
  }
  Grammar grammar;
  grammar.begin = {0};
  const auto put = [&](const auto& self, const Text& body) -> void {
    for (const Symbol symbol : body) {
      if (is_rule(symbol) && uses[rule_index(symbol)] == 1) {
        self(self, bodies[rule_index(symbol)]);
      } else {
        grammar.symbols.push_back(is_rule(symbol) ? rule_symbol(number[rule_index(symbol)])
                                                  : symbol);
      }
    }
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i != 0 && uses[i] == 1) continue;
    put(put, bodies[i]);
    grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
  }
  return grammar;
}

std::vector<Measure> some_measures(std::size_t count) {
  std::vector<Measure> measures;
  for (std::size_t i = 0; i < count; ++i) measures.push_back({i % 5 + 1, i % 3 / 2, i % 4 / 3});
  return measures;
}

GrammarReader open(const StoredGrammar& stored, const std::vector<Measure>& measures) {
  std::vector<std::uint64_t> block_bytes;
  for (const base::Bytes& block : stored.blocks) block_bytes.push_back(block.size());
  return {stored.symbol_table, measures, stored.chunks.size(), block_bytes,
          [&stored](std::uint32_t block) { return stored.blocks[block]; }};
}

Text decode(const GrammarReader& reader, const StoredGrammar& stored, std::size_t chunk) {
  return reader.decode_chunk(chunk, stored.chunks[chunk].bytes, stored.chunks[chunk].symbol_count);
}

void expand(GrammarReader& reader, Symbol symbol, Text& text) {
  if (!is_rule(symbol)) {
    text.push_back(symbol);
    return;
  }
  for (const Symbol inner : reader.body(rule_index(symbol))) expand(reader, inner, text);
}

Text expand_all(GrammarReader& reader, const StoredGrammar& stored) {
  Text text;
  for (std::size_t chunk = 0; chunk < stored.chunks.size(); ++chunk) {
    const Text symbols = decode(reader, stored, chunk);
    if (reader.measure(symbols) != stored.chunks[chunk].measure) throw Error("another measure");
    for (const Symbol symbol : symbols) expand(reader, symbol, text);
  }
  return text;
}

Text repetitive_text(std::uint32_t seed, std::size_t length, std::uint32_t terminals) {
  std::mt19937 random(seed);
  Text text;
  while (text.size() < length) {
    if (text.size() > 8 && random() % 3 != 0) {
      const std::size_t from = random() % (text.size() - 4);
      const std::size_t count = 2 + random() % std::min<std::size_t>(40, text.size() - from - 1);
      for (std::size_t i = 0; i < count; ++i) text.push_back(text[from + i % (text.size() - from)]);
    } else {
      text.push_back(static_cast<Symbol>(random() % terminals));
    }
  }
  return text;
}

TEST(Measure, what_a_string_pushes_is_what_the_next_one_pops) {
  const Measure push{3, 0, 2};
  const Measure pop{4, 3, 1};
  EXPECT_EQ(concat(push, pop), (Measure{7, 1, 1}));
  EXPECT_EQ(concat(pop, push), (Measure{7, 3, 3}));
  EXPECT_EQ(concat(Measure{}, pop), pop);
  EXPECT_EQ(concat(Measure{UINT64_MAX, 0, 0}, push).length, UINT64_MAX);
}

RC_GTEST_PROP(Measure, concatenation_is_associative, ()) {
  const auto measure = [] {
    const auto n = [] { return static_cast<std::uint64_t>(*rc::gen::inRange(0, 6)); };
    return Measure{n(), n(), n()};
  };
  const Measure a = measure();
  const Measure b = measure();
  const Measure c = measure();
  RC_ASSERT(concat(concat(a, b), c) == concat(a, concat(b, c)));
}

RC_GTEST_PROP(StoredGrammar, what_was_stored_comes_back, ()) {
  const auto terminals = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto length = *rc::gen::inRange<std::size_t>(0, 600);
  const Text text = repetitive_text(*rc::gen::arbitrary<std::uint32_t>(), length, terminals);
  EncodeLimits limits;
  limits.max_chunks = *rc::gen::inRange(1U, 200U);
  limits.min_chunk_symbols = *rc::gen::inRange(1U, 50U);
  limits.block_rules = *rc::gen::inRange(1U, 50U);
  const auto measures = some_measures(terminals);
  const Grammar grammar = naive_grammar(text);
  const StoredGrammar stored = encode_grammar(grammar, measures, limits);
  RC_ASSERT(stored.chunks.size() <= limits.max_chunks);
  RC_ASSERT(GrammarReader::terminal_count(stored.symbol_table) == terminals);
  GrammarReader reader = open(stored, measures);
  RC_ASSERT(reader.rule_count() + 1 == grammar.rule_count());
  RC_ASSERT(expand_all(reader, stored) == text);
}

TEST(StoredGrammar, one_symbol_per_chunk_and_one_rule_per_block_come_back) {
  const Text text = repetitive_text(7, 3000, 5);
  const auto measures = some_measures(5);
  const StoredGrammar stored = encode_grammar(naive_grammar(text), measures, {1U << 30, 1, 1});
  GrammarReader reader = open(stored, measures);
  EXPECT_EQ(stored.blocks.size(), reader.rule_count());
  EXPECT_GT(stored.chunks.size(), 50U);
  for (const StoredChunk& chunk : stored.chunks) EXPECT_EQ(chunk.symbol_count, 1U);
  EXPECT_EQ(expand_all(reader, stored), text);
}

TEST(StoredGrammar, only_what_is_reached_is_read_and_unpacked) {
  const Text text = repetitive_text(3, 3000, 20);
  const auto measures = some_measures(20);
  const StoredGrammar stored = encode_grammar(naive_grammar(text), measures, {16, 1, 20});
  ASSERT_GT(stored.blocks.size(), 4U);
  GrammarReader reader = open(stored, measures);
  static_cast<void>(decode(reader, stored, 1));
  EXPECT_EQ(reader.blocks_read(), 0U);
  const auto first = reader.body(40);
  EXPECT_EQ(reader.blocks_read(), 1U);
  static_cast<void>(reader.body(59));
  EXPECT_EQ(reader.blocks_read(), 1U);
  static_cast<void>(reader.body(0));
  EXPECT_EQ(reader.blocks_read(), 2U);
  EXPECT_EQ(reader.rules_unpacked(), 3U);
  EXPECT_EQ(first.data(), reader.body(40).data());
  EXPECT_GT(reader.memory_bytes(), 1000U);
}

TEST(StoredGrammar, an_empty_grammar_and_one_without_rules_come_back) {
  const StoredGrammar nothing = encode_grammar(Grammar{}, {});
  EXPECT_TRUE(nothing.chunks.empty());
  EXPECT_EQ(open(nothing, {}).rule_count(), 0U);
  const Text text = {2, 0, 1};
  const auto measures = some_measures(3);
  const StoredGrammar stored = encode_grammar(naive_grammar(text), measures);
  GrammarReader reader = open(stored, measures);
  EXPECT_EQ(expand_all(reader, stored), text);
}

TEST(StoredGrammar, forty_doubling_rules_derive_a_trillion_events) {
  Grammar grammar;
  grammar.begin = {0};
  for (std::uint32_t rule = 0; rule <= 39; ++rule) {
    const Symbol next = rule == 39 ? 0 : rule_symbol(rule + 1);
    grammar.symbols.insert(grammar.symbols.end(), {next, next});
    grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
  }
  const std::vector<Measure> measures = {{1, 0, 1}};
  const StoredGrammar stored = encode_grammar(grammar, measures);
  ASSERT_EQ(stored.chunks.size(), 1U);
  EXPECT_EQ(stored.chunks[0].measure, (Measure{1ULL << 40, 0, 1ULL << 40}));
  GrammarReader reader = open(stored, measures);
  const Text start = decode(reader, stored, 0);
  ASSERT_EQ(start.size(), 2U);
  EXPECT_EQ(start[0], start[1]);
  EXPECT_EQ(reader.body(rule_index(start[0])).size(), 2U);
  EXPECT_EQ(reader.measure(start[0]).length, 1ULL << 39);
}

TEST(StoredGrammar, a_grammar_that_derives_too_much_is_refused) {
  Grammar grammar;
  grammar.begin = {0};
  for (std::uint32_t rule = 0; rule <= 69; ++rule) {
    const Symbol next = rule == 69 ? 0 : rule_symbol(rule + 1);
    grammar.symbols.insert(grammar.symbols.end(), {next, next});
    grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
  }
  EXPECT_THROW(static_cast<void>(encode_grammar(grammar, some_measures(1))), Error);
}

TEST(StoredGrammar, a_chunk_that_is_not_what_the_directory_says_is_refused) {
  const Text text = repetitive_text(11, 2000, 6);
  const auto measures = some_measures(6);
  const StoredGrammar stored = encode_grammar(naive_grammar(text), measures, {4, 1, 50});
  GrammarReader reader = open(stored, measures);
  const StoredChunk& chunk = stored.chunks[1];
  const auto decode_as = [&](base::Bytes bytes, std::uint32_t symbols) {
    static_cast<void>(reader.decode_chunk(1, bytes, symbols));
  };
  decode_as(chunk.bytes, chunk.symbol_count);
  EXPECT_THROW(decode_as(chunk.bytes, chunk.symbol_count - 1), Error);
  EXPECT_THROW(decode_as(chunk.bytes, chunk.symbol_count + 1), Error);
  EXPECT_THROW(decode_as(chunk.bytes, UINT32_MAX), Error);
  base::Bytes bytes = chunk.bytes;
  bytes.insert(bytes.begin(), 3, 0xff);
  EXPECT_THROW(decode_as(bytes, chunk.symbol_count), Error);
}

TEST(StoredGrammar, a_table_about_other_blocks_or_terminals_is_refused) {
  const Text text = repetitive_text(11, 500, 6);
  const auto measures = some_measures(6);
  const StoredGrammar stored = encode_grammar(naive_grammar(text), measures, {4, 1, 8});
  ASSERT_GT(stored.blocks.size(), 2U);
  EXPECT_THROW(open(stored, some_measures(5)), Error);
  StoredGrammar fewer = stored;
  fewer.blocks.pop_back();
  EXPECT_THROW(open(fewer, measures), Error);
  StoredGrammar more = stored;
  more.blocks.emplace_back(100);
  EXPECT_THROW(open(more, measures), Error);
  StoredGrammar empty = stored;
  for (base::Bytes& block : empty.blocks) block.clear();
  EXPECT_THROW(open(empty, measures), Error);
  EXPECT_THROW(static_cast<void>(GrammarReader::terminal_count({})), Error);
}

// Rules that are used equally often have numbers in the order of their first uses, so the bodies of
// two of them can be exchanged by exchanging their blocks.
TEST(StoredGrammar, rules_that_derive_each_other_are_refused) {
  // S -> A B A B, with A -> t B and B -> t t where B's block is then A's.
  Grammar grammar;
  grammar.symbols = {
      rule_symbol(1), 0, rule_symbol(2), 1, rule_symbol(1), 2, rule_symbol(2), 0, 0, 1, 2, 3};
  grammar.begin = {0, 8, 10, 12};
  const auto measures = some_measures(4);
  StoredGrammar stored = encode_grammar(grammar, measures, {1, 1, 1});
  GrammarReader good = open(stored, measures);
  ASSERT_EQ(good.rule_count(), 2U);
  EXPECT_EQ(good.measure(rule_symbol(0)).length, concat(measures[0], measures[1]).length);

  Grammar nested = grammar;  // rule 1 -> 0 R2; then R2's block is replaced by R1's: R2 -> 0 R2
  nested.symbols[9] = rule_symbol(2);
  StoredGrammar hostile = encode_grammar(nested, measures, {1, 1, 1});
  ASSERT_EQ(hostile.blocks.size(), 2U);
  GrammarReader honest = open(hostile, measures);
  const bool first_is_outer = is_rule(honest.body(0)[1]);
  hostile.blocks[first_is_outer ? 1 : 0] = hostile.blocks[first_is_outer ? 0 : 1];
  GrammarReader reader = open(hostile, measures);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THROW(static_cast<void>(reader.measure(rule_symbol(0))), Error);
    EXPECT_THROW(static_cast<void>(reader.measure(rule_symbol(1))), Error);
  }
}

// Whatever the bytes are: every symbol of a body exists, a body has two symbols or more, and what
// has a measure measures what its body does.
void check_consistent(GrammarReader& reader) {
  for (std::uint32_t rule = 0; rule < reader.rule_count(); ++rule) {
    try {
      const std::span<const Symbol> body = reader.body(rule);
      ASSERT_GE(body.size(), 2U);
      for (const Symbol symbol : body) {
        ASSERT_LT(rule_index(symbol),
                  is_rule(symbol) ? reader.rule_count() : reader.terminal_count());
      }
      ASSERT_EQ(reader.measure(rule_symbol(rule)), reader.measure(body));
    } catch (const Error&) {
    }
  }
}

void damage(std::mt19937& random, base::Bytes& bytes) {
  if (bytes.empty()) return;
  switch (random() % 4) {
    case 0:
      bytes.resize(random() % bytes.size());
      break;
    case 1:
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
      break;
    default:
      bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
  }
}

TEST(StoredGrammar, damaged_bytes_are_refused_or_give_a_consistent_grammar) {
  std::mt19937 random(5);
  int refused = 0;
  int read = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const std::uint32_t terminals = 1 + seed;
    const auto measures = some_measures(terminals);
    const StoredGrammar good = encode_grammar(
        naive_grammar(repetitive_text(seed, 100 + 50 * seed, terminals)), measures, {6, 4, 20});
    for (int round = 0; round < 60; ++round) {
      StoredGrammar stored = good;
      if (round % 3 == 0) damage(random, stored.symbol_table);
      if (round % 3 == 1 && !stored.blocks.empty()) {
        damage(random, stored.blocks[random() % stored.blocks.size()]);
      }
      if (round % 3 == 2) damage(random, stored.chunks[random() % stored.chunks.size()].bytes);
      try {
        GrammarReader reader = open(stored, measures);
        check_consistent(reader);
        for (std::size_t chunk = 0; chunk < stored.chunks.size(); ++chunk) {
          for (const Symbol symbol : decode(reader, stored, chunk)) {
            ASSERT_LT(rule_index(symbol), is_rule(symbol) ? reader.rule_count() : terminals);
          }
        }
        ++read;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(read, 0);
}

RC_GTEST_PROP(StoredGrammar, any_bytes_are_refused_or_read,
              (const std::vector<std::uint8_t>& bytes)) {
  try {
    const std::uint32_t terminals = GrammarReader::terminal_count(bytes);
    RC_ASSERT(terminals <= kMostSymbolsPerByte * bytes.size());
    GrammarReader reader(bytes, some_measures(terminals), 3, {}, {});
  } catch (const Error&) {
  }
}

TEST(StoredGrammar, truncations_of_every_blob_do_no_harm) {
  const Text text = repetitive_text(23, 800, 7);
  const auto measures = some_measures(7);
  const StoredGrammar good = encode_grammar(naive_grammar(text), measures, {2, 1, 1000});
  for (std::size_t size = 0; size < good.symbol_table.size(); ++size) {
    StoredGrammar stored = good;
    stored.symbol_table.resize(size);
    EXPECT_ANY_THROW({
      GrammarReader reader = open(stored, measures);
      if (expand_all(reader, stored) != text) throw Error("different");
    });
  }
  for (std::size_t size = 0; size + 1 < good.blocks[0].size(); ++size) {
    StoredGrammar stored = good;
    stored.blocks[0].resize(size);
    EXPECT_ANY_THROW({
      GrammarReader reader = open(stored, measures);
      static_cast<void>(reader.body(0));
    });
  }
  for (std::size_t size = 0; size + 1 < good.chunks[0].bytes.size(); ++size) {
    StoredGrammar stored = good;
    stored.chunks[0].bytes.resize(size);
    const GrammarReader reader = open(stored, measures);
    EXPECT_THROW(static_cast<void>(decode(reader, stored, 0)), Error);
  }
}

}  // namespace
}  // namespace pathspool::grammar
