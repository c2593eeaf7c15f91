#include "match/grammar_walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grammar/grammar_encoder.h"
#include "grammar/grammar_reader.h"
#include "pathspool/error.h"
#include "spool/grammar_form.h"
#include "support/path_query.h"

namespace pathspool::match {
namespace {

using testing::numbered;
using testing::query;

// A grammar made by hand, as stored.
class MadeGrammar {
 public:
  std::uint32_t terminal(const Event& event, std::optional<FunctionId> context = std::nullopt) {
    phrases_.add(context, std::span(&event, 1));
    return static_cast<std::uint32_t>(phrases_.size() - 1);
  }
  grammar::Symbol rule(std::vector<grammar::Symbol> body) {
    bodies_.push_back(std::move(body));
    return grammar::rule_symbol(static_cast<std::uint32_t>(bodies_.size()));
  }
  // Encodes, and hands a walk and the start rule's symbols to `use`.
  template <typename Use>
  void walk(const std::vector<grammar::Symbol>& start, Search& search, const Use& use) const {
    grammar::Grammar made;
    made.symbols = start;
    made.begin = {0, static_cast<std::uint32_t>(start.size())};
    for (const auto& body : bodies_) {
      made.symbols.insert(made.symbols.end(), body.begin(), body.end());
      made.begin.push_back(static_cast<std::uint32_t>(made.symbols.size()));
    }
    std::vector<grammar::Measure> measures;
    for (std::size_t i = 0; i < phrases_.size(); ++i) {
      measures.push_back(spool::measure_of(phrases_[i]));
    }
    const auto stored = grammar::encode_grammar(made, measures);
    std::vector<std::uint64_t> block_bytes;
    for (const auto& block : stored.blocks) block_bytes.push_back(block.size());
    grammar::GrammarReader reader(stored.symbol_table, measures, stored.chunks.size(), block_bytes,
                                  [&](std::uint32_t block) { return stored.blocks[block]; });
    std::vector<grammar::Symbol> symbols;
    for (std::size_t i = 0; i < stored.chunks.size(); ++i) {
      const auto part =
          reader.decode_chunk(i, stored.chunks[i].bytes, stored.chunks[i].symbol_count);
      symbols.insert(symbols.end(), part.begin(), part.end());
    }
    const grammar::Measure measure = reader.measure(symbols);
    const SummaryStates states(search.functions);
    GrammarWalk walk(reader, phrases_, Symbols::blocks, states, search);
    use(walk, symbols, measure);
  }

 private:
  spool::PhraseTable phrases_;
  std::vector<std::vector<grammar::Symbol>> bodies_;
};

void run_all(GrammarWalk& walk, const std::vector<grammar::Symbol>& symbols,
             const grammar::Measure& all) {
  walk.run(symbols, 0, all.length,
           static_cast<std::int64_t>(all.pushes) - static_cast<std::int64_t>(all.pops));
}

TEST(GrammarWalk, counts_in_a_trace_of_four_quintillion_events_without_expanding_it) {
  MadeGrammar made;
  const auto enter = made.terminal(Event::enter(FunctionId{0}));
  const auto one = made.terminal(Event::block(BlockId{1}));
  const auto two = made.terminal(Event::block(BlockId{2}));
  const auto exit = made.terminal(Event::exit());
  // 2^58 times: enter, B1 B2 B1, exit.
  grammar::Symbol call = made.rule({enter, one, two, one, exit});
  for (int i = 0; i < 58; ++i) call = made.rule({call, call});
  const std::vector<PathQuery> queries = {query(0, {1}), query(0, {1, 2}), query(0, {2, 1, 1})};
  const std::vector<FunctionPaths> functions = numbered(queries);
  Search search(functions, queries.size(), Wish::count);
  made.walk({call, call, two}, search,
            [](GrammarWalk& walk, const auto& symbols, const grammar::Measure& all) {
              run_all(walk, symbols, all);
              EXPECT_TRUE(walk.frames().empty());
            });
  EXPECT_EQ(search.answers[0].count, std::uint64_t{1} << 60);
  EXPECT_EQ(search.answers[1].count, std::uint64_t{1} << 59);
  EXPECT_EQ(search.answers[2].count, 0U);

  Search bounded(functions, queries.size(), Wish::first);
  bounded.bounds.from = (std::uint64_t{1} << 60) + 1;
  made.walk({call, call, two}, bounded,
            [](GrammarWalk& walk, const auto& symbols, const grammar::Measure& all) {
              run_all(walk, symbols, all);
            });
  EXPECT_FALSE(bounded.answers[2].first);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    ASSERT_TRUE(bounded.answers[i].first);
    EXPECT_GE(*bounded.answers[i].first, bounded.bounds.from);
    EXPECT_LE(*bounded.answers[i].first, bounded.bounds.from + 5);
  }
}

TEST(GrammarWalk, a_chunk_that_derives_other_events_than_it_should_is_refused) {
  MadeGrammar made;
  const auto enter = made.terminal(Event::enter(FunctionId{0}));
  const auto one = made.terminal(Event::block(BlockId{1}));
  const grammar::Symbol twice = made.rule({one, one});
  const std::vector<PathQuery> queries = {query(0, {1, 1})};
  const std::vector<FunctionPaths> functions = numbered(queries);
  Search search(functions, queries.size(), Wish::count);
  made.walk({enter, twice, one, twice}, search,
            [](GrammarWalk& walk, const auto& symbols, const grammar::Measure& all) {
              ASSERT_EQ(all, (grammar::Measure{6, 0, 1}));
              walk.run(symbols, 0, 6, 1);
              EXPECT_THROW(walk.run(symbols, 0, 5, 1), Error);
              EXPECT_THROW(walk.run(symbols, 0, 7, 1), Error);
              EXPECT_THROW(walk.run(symbols, 0, 6, 0), Error);
            });
}

// Each rule is in a block of its own, and the inner one is replaced by the outer one.
TEST(GrammarWalk, a_rule_that_derives_itself_is_refused) {
  grammar::Grammar made;
  const grammar::Symbol outer = grammar::rule_symbol(1);
  const grammar::Symbol inner = grammar::rule_symbol(2);
  made.symbols = {outer, 0, inner, 1, outer, 1, inner, 0, 0, inner, 1, 1};
  made.begin = {0, 8, 10, 12};
  spool::PhraseTable phrases;
  for (const std::uint32_t id : {1U, 2U}) {
    const Event block = Event::block(BlockId{id});
    phrases.add(std::nullopt, std::span(&block, 1));
  }
  const std::vector<grammar::Measure> measures(2, {1, 0, 0});
  const auto stored = grammar::encode_grammar(made, measures, {1, 1, 1});
  ASSERT_EQ(stored.blocks.size(), 2U);
  const std::vector<std::uint64_t> block_bytes = {stored.blocks[0].size(), stored.blocks[1].size()};
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}}) {
    grammar::GrammarReader reader(stored.symbol_table, measures, 1, block_bytes,
                                  [&](std::uint32_t) { return stored.blocks[kept]; });
    const bool is_outer = grammar::is_rule(reader.body(0)[1]);
    const std::vector<PathQuery> queries = {query(0, {1})};
    const std::vector<FunctionPaths> functions = numbered(queries);
    Search search(functions, queries.size(), Wish::count);
    const SummaryStates states(search.functions);
    GrammarWalk walk(reader, phrases, Symbols::blocks, states, search);
    const auto symbols =
        reader.decode_chunk(0, stored.chunks[0].bytes, stored.chunks[0].symbol_count);
    if (is_outer) {
      EXPECT_THROW(walk.run(symbols, 0, 12, 0), Error);
    } else {
      EXPECT_THROW(walk.run(symbols, 0, 13, 0), Error);  // it derives 12
      walk.run(symbols, 0, 12, 0);
    }
  }
}

// One long loop in which every turn calls; the caller's own path goes on across the calls.
TEST(GrammarWalk, a_path_goes_on_across_a_billion_calls) {
  MadeGrammar made;
  const auto enter_f = made.terminal(Event::enter(FunctionId{0}));
  const auto enter_g = made.terminal(Event::enter(FunctionId{1}));
  const auto one = made.terminal(Event::block(BlockId{1}));
  const auto two = made.terminal(Event::block(BlockId{2}));
  const auto exit = made.terminal(Event::exit());
  grammar::Symbol call = made.rule({enter_g, one, one, exit});
  for (int i = 0; i < 30; ++i) call = made.rule({call, call});
  const std::vector<PathQuery> queries = {query(0, {1, 1, 2}), query(1, {1, 1})};
  const std::vector<FunctionPaths> functions = numbered(queries);
  Search search(functions, queries.size(), Wish::count);
  made.walk({enter_f, one, call, one, call, two, exit}, search,
            [](GrammarWalk& walk, const auto& symbols, const grammar::Measure& all) {
              run_all(walk, symbols, all);
            });
  EXPECT_EQ(search.answers[0].count, 1U);
  EXPECT_EQ(search.answers[1].count, std::uint64_t{2} << 30);
}

// Frames are opened and closed again in rules that double, with blocks on the way up and down.
TEST(GrammarWalk, nesting_has_no_limit_below_that_of_a_trace) {
  constexpr std::uint64_t kFrames = std::uint64_t{1} << 18;
  MadeGrammar made;
  const auto enter = made.terminal(Event::enter(FunctionId{0}));
  const auto one = made.terminal(Event::block(BlockId{1}));
  const auto two = made.terminal(Event::block(BlockId{2}));
  const auto exit = made.terminal(Event::exit());
  grammar::Symbol down = made.rule({enter, one});
  grammar::Symbol up = made.rule({two, exit});
  for (std::uint64_t i = 1; i < kFrames; i *= 2) {
    down = made.rule({down, down});
    up = made.rule({up, up});
  }
  grammar::Symbol turn = made.rule({down, up});
  for (int i = 0; i < 20; ++i) turn = made.rule({turn, turn});
  const std::vector<PathQuery> queries = {query(0, {1, 2})};
  const std::vector<FunctionPaths> functions = numbered(queries);
  Search search(functions, 1, Wish::count);
  made.walk({turn, turn, down, up, down}, search,
            [&](GrammarWalk& walk, const auto& symbols, const grammar::Measure& all) {
              run_all(walk, symbols, all);
              EXPECT_EQ(walk.frames().size(), kFrames);
            });
  EXPECT_EQ(search.answers[0].count, kFrames * ((std::uint64_t{2} << 20) + 1));
}

}  // namespace
}  // namespace pathspool::match
