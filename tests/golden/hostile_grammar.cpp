// Grammars made by hand: valid ones that nobody can expand, and ones that contradict their file.
#include <gtest/gtest.h>

#include "grammar/grammar_encoder.h"
#include "spool/grammar_form.h"
#include "spool/phrase_decoder.h"
#include "spool/phrase_encoder.h"
#include "support/container.h"
#include "support/every_operation.h"
#include "support/recording.h"
#include "support/resource_limits.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

using grammar::Grammar;
using grammar::Symbol;

// Appends a rule and returns its symbol; the start rule comes first.
class GrammarBuilder {
 public:
  // Rules of two equal symbols, each in the one before: 2^levels of the terminal.
  Symbol doubling(Symbol terminal, unsigned levels) {
    Symbol symbol = terminal;
    for (unsigned level = 0; level < levels; ++level) symbol = rule({symbol, symbol});
    return symbol;
  }
  Symbol rule(const std::vector<Symbol>& body) {
    bodies_.push_back(body);
    return grammar::rule_symbol(static_cast<std::uint32_t>(bodies_.size()));
  }
  [[nodiscard]] Grammar with_start(const std::vector<Symbol>& start) const {
    Grammar grammar;
    grammar.begin = {0};
    const auto add = [&grammar](const std::vector<Symbol>& body) {
      grammar.symbols.insert(grammar.symbols.end(), body.begin(), body.end());
      grammar.begin.push_back(static_cast<std::uint32_t>(grammar.symbols.size()));
    };
    add(start);
    for (const auto& body : bodies_) add(body);
    return grammar;
  }

 private:
  std::vector<std::vector<Symbol>> bodies_;
};

// A segment of one chunk that holds the whole start rule, with facts as given.
spool::EncodedSegment encode(const Grammar& grammar, const std::vector<Event>& terminals,
                             const spool::ChunkFacts& facts) {
  spool::PhraseTable phrases;
  std::vector<grammar::Measure> measures;
  for (const Event& event : terminals) {
    phrases.add(std::nullopt, std::span(&event, 1));
    measures.push_back(spool::measure_of(std::span(&event, 1)));
  }
  grammar::StoredGrammar stored = grammar::encode_grammar(grammar, measures);
  EXPECT_EQ(stored.chunks.size(), 1U);
  spool::GrammarForm form;
  form.symbols = Symbols::blocks;
  form.phrases = phrases.size();
  spool::EncodedSegment segment;
  segment.blobs = {spool::encode_phrases(phrases), stored.symbol_table};
  form.blocks = stored.blocks.size();
  for (const auto& block : stored.blocks) segment.blobs.push_back(block);
  form.chunks.push_back({stored.chunks[0].symbol_count});
  segment.blobs.push_back(stored.chunks[0].bytes);
  segment.form_part = form.encode();
  segment.facts.chunks = {facts};
  for (const Event& event : terminals) {
    if (event.kind == EventKind::enter) segment.facts.functions.push_back(event.function());
  }
  return segment;
}

class HostileGrammar : public ::testing::Test {
 protected:
  std::filesystem::path write(spool::EncodedSegment segment) {
    PackOptions options;
    options.form = Form::grammar;
    options.index = false;
    testing::SegmentedFile file(scratch_.file("a"));
    file.add_tables(testing::one_stream({}, 2));
    file.add_segment(StreamId{0}, 0, options, std::move(segment));
    file.finish();
    return scratch_.file("a");
  }

  testing::Scratch scratch_;
};

TEST_F(HostileGrammar, two_to_the_40_events_are_answered_at_once) {
  GrammarBuilder builder;
  const Symbol half = builder.doubling(0, 39);
  const std::uint64_t events = 1ULL << 40;
  const auto path = write(encode(builder.with_start({half, half}), {Event::block(BlockId{1})},
                                 {events, 0, 0, std::nullopt, {}}));
  const testing::AddressSpaceLimit limit(std::uint64_t{1} << 30);
  const testing::ProcessorTime time;
  const Spool spool = Spool::open(path);
  EXPECT_EQ(spool.info().events, events);
  const std::vector<Event> middle =
      testing::read_events(spool, StreamId{0}, events / 2, events / 2 + 100);
  EXPECT_EQ(middle, std::vector(100, Event::block(BlockId{1})));
  EXPECT_EQ(testing::read_events(spool, StreamId{0}, events - 3).size(), 3U);
  EXPECT_TRUE(spool.open_frames({StreamId{0}, events - 1}).empty());
  std::uint32_t rules = 0;
  spool.visit_rules(0, [&rules](std::uint32_t, std::span<const RuleItem> body) {
    EXPECT_EQ(body.size(), 2U);
    ++rules;
  });
  EXPECT_EQ(rules, 40U);
  const CheckReport report = check(path);
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.unexpanded_segments, 1U);
  EXPECT_EQ(report.events, events);
  EXPECT_LT(time.seconds(), 5);
}

TEST_F(HostileGrammar, two_to_the_39_open_frames_do_not_fill_the_memory) {
  GrammarBuilder builder;
  const Symbol down = builder.doubling(0, 39);
  const Symbol up = builder.doubling(1, 39);
  const auto path = write(encode(builder.with_start({down, up, down, up}),
                                 {Event::enter(FunctionId{0}), Event::exit()},
                                 {4ULL << 39, 0, 0, std::int64_t{0}, {}}));
  const testing::AddressSpaceLimit limit;
  const testing::ProcessorTime time;
  const Spool spool = Spool::open(path);
  EXPECT_EQ(spool.info().events, 4ULL << 39);
  EXPECT_EQ(testing::read_events(spool, StreamId{0}, 1ULL << 39, (1ULL << 39) + 5),
            std::vector(5, Event::exit()));
  EXPECT_TRUE(spool.open_frames({StreamId{0}, 2ULL << 39}).empty());
  EXPECT_EQ(spool.open_frames({StreamId{0}, (2ULL << 39) + 7}).size(), 7U);
  EXPECT_THROW(static_cast<void>(spool.open_frames({StreamId{0}, 1ULL << 39})), Error);
  EXPECT_LT(time.seconds(), testing::kSanitized ? 60 : 10);
}

TEST_F(HostileGrammar, an_expansion_that_differs_from_the_stored_event_count_is_refused) {
  for (const std::uint64_t claimed : {1023ULL, 1025ULL, 1ULL << 40, 1ULL}) {
    GrammarBuilder builder;
    const Symbol half = builder.doubling(0, 9);
    const auto path = write(encode(builder.with_start({half, half}), {Event::block(BlockId{1})},
                                   {claimed, 0, 0, std::nullopt, {}}));
    const Spool spool = Spool::open(path);
    EXPECT_THROW(static_cast<void>(testing::read_events(spool, StreamId{0})), Error);
    EXPECT_THROW(spool.visit_rules(0, [](std::uint32_t, std::span<const RuleItem>) {}), Error);
    EXPECT_EQ(check(path).damaged_segments, 1U);
  }
}

TEST_F(HostileGrammar, levels_that_differ_from_the_events_are_refused) {
  GrammarBuilder builder;
  const Symbol rule = builder.rule({0, 2, 1});
  const std::vector<Event> terminals = {Event::enter(FunctionId{0}), Event::exit(),
                                        Event::block(BlockId{2})};
  const Grammar grammar = builder.with_start({rule, rule, 0});
  const spool::ChunkFacts right = {7, 0, 1, 0, {FunctionId{0}}};
  {
    spool::EncodedSegment segment = encode(grammar, terminals, right);
    segment.facts.deepest = 0;
    testing::expect_intact(write(segment));
  }
  std::vector<spool::ChunkFacts> wrong(4, right);
  wrong[0].opened = {FunctionId{1}};                         // another function
  wrong[1] = {7, 0, 0, 0, {}};                               // another depth
  wrong[2] = {7, 0, 1, -1, {FunctionId{0}, FunctionId{0}}};  // a lower exit
  wrong[3] = {7, 0, 1, std::nullopt, {FunctionId{0}}};       // no exit
  for (const spool::ChunkFacts& facts : wrong) {
    spool::EncodedSegment segment = encode(grammar, terminals, facts);
    segment.facts.deepest = 0;
    EXPECT_FALSE(check(write(segment)).intact());
  }
  spool::EncodedSegment segment = encode(grammar, terminals, right);
  segment.facts.deepest = 1;
  EXPECT_FALSE(check(write(segment)).intact());
  segment = encode(grammar, terminals, right);
  segment.facts.deepest = 0;
  segment.facts.functions = {FunctionId{0}, FunctionId{1}};
  EXPECT_FALSE(check(write(segment)).intact());
}

// Each chunk is decoded with work in the number of terminals, so their number has to be bounded
// too.
TEST_F(HostileGrammar, thousands_of_chunks_times_thousands_of_phrases_are_refused_or_read_soon) {
  const std::uint32_t phrases = 200'000;
  const std::uint32_t chunks = 20'000;
  GrammarBuilder builder;
  std::vector<Symbol> start;
  std::vector<Event> terminals;
  for (std::uint32_t i = 0; i < phrases; ++i) {
    start.push_back(i);
    terminals.push_back(Event::block(BlockId{i + 1}));
  }
  spool::PhraseTable table;
  std::vector<grammar::Measure> measures(phrases, {1, 0, 0});
  for (const Event& event : terminals) table.add(std::nullopt, std::span(&event, 1));
  grammar::EncodeLimits limits;
  limits.max_chunks = chunks;
  limits.min_chunk_symbols = 1;
  grammar::StoredGrammar stored =
      grammar::encode_grammar(builder.with_start(start), measures, limits);
  spool::GrammarForm form;
  form.symbols = Symbols::blocks;
  form.phrases = phrases;
  spool::EncodedSegment segment;
  segment.blobs = {spool::encode_phrases(table), stored.symbol_table};
  for (auto& chunk : stored.chunks) {
    form.chunks.push_back({chunk.symbol_count});
    segment.facts.chunks.push_back({chunk.measure.length, 0, 0, std::nullopt, {}});
    segment.blobs.push_back(std::move(chunk.bytes));
  }
  segment.form_part = form.encode();
  const auto path = write(std::move(segment));
  const testing::ProcessorTime time;
  static_cast<void>(testing::every_operation(path, 1000));
  EXPECT_LT(time.seconds(), 15);
}

// How many phrases a segment claims: after stream, first event, events, form, flags, the form
// part's length and the symbols.
std::uint64_t claimed_phrases(const testing::RawSection& segment) {
  base::ByteReader reader(segment.content);
  for (int i = 0; i < 3; ++i) reader.varint();
  reader.u16();
  reader.varint();
  reader.u8();
  return reader.varint();
}

// What matching on the grammar will rely on, and nothing that is printed shows.
TEST_F(HostileGrammar, a_phrase_with_the_context_of_another_function_is_found) {
  PackOptions options;
  options.form = Form::grammar;
  for (const Symbols symbols : {Symbols::segments, Symbols::blocks}) {
    options.symbols = symbols;
    const testing::Recording recording = testing::full_recording(12, 300);
    testing::write_spool(scratch_.file("good"), recording, options);
    testing::expect_intact(scratch_.file("good"));
    auto sections = *testing::take_apart(testing::read_whole(scratch_.file("good")));
    const auto segment =
        std::ranges::find(sections, spool::kSegmentSection, &testing::RawSection::type);
    const base::Bytes good_blob = segment->blobs[0];
    const spool::PhraseTable good =
        spool::decode_phrases(good_blob, claimed_phrases(*segment), recording.functions.size());
    ASSERT_EQ(spool::encode_phrases(good), good_blob);
    std::size_t tried = 0;
    for (std::size_t phrase = 0; phrase < good.size(); ++phrase) {
      if (good[phrase].front().kind != EventKind::block) continue;
      for (const auto context : {std::optional<FunctionId>(), std::optional(FunctionId{0}),
                                 std::optional(FunctionId{1})}) {
        if (context == good.contexts[phrase]) continue;
        spool::PhraseTable bad = good;
        bad.contexts[phrase] = context;
        segment->blobs[0] = spool::encode_phrases(bad);
        auto changed = sections;
        changed.pop_back();
        testing::write_whole(scratch_.file("bad"), testing::put_together_with_table(changed));
        const CheckReport report = check(scratch_.file("bad"));
        ASSERT_EQ(report.problems.size(), 1U);
        ASSERT_EQ(report.problems[0].what,
                  "a phrase's context is not the function that runs there");
        ASSERT_EQ(report.damaged_segments, 1U);
        ASSERT_EQ(testing::read_spool(Spool::open(scratch_.file("bad"))), recording);
        ++tried;
      }
    }
    ASSERT_GT(tried, 5U);
  }
}

}  // namespace
}  // namespace pathspool
