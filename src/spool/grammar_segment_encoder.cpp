#include "spool/grammar_segment_encoder.h"

#include <algorithm>
#include <utility>

#include "grammar/grammar_encoder.h"
#include "pathspool/pack.h"
#include "spool/expansion.h"
#include "spool/grammar_form.h"
#include "spool/phrase_encoder.h"

namespace pathspool::spool {
namespace {

static_assert(grammar::EncodeLimits{}.max_chunks == kMostStartChunks);

// What encode_grammar and encode_phrases take, measured.
constexpr std::uint64_t kStoringBytesPerPhrase = 320;
constexpr std::uint64_t kStoringBytesPerSymbol = 24;

// With more the trie and SEQUITUR could run out of numbers for their nodes.
constexpr std::uint64_t kMostUsefulBytes = std::uint64_t{16} << 30;

// Between two looks at the memory.
constexpr std::size_t kSliceEvents = 4096;

// Gives an Expansion the rules of a grammar in memory.
struct RulesInMemory {
  const grammar::Grammar& grammar;
  [[nodiscard]] std::span<const grammar::Symbol> body(std::uint32_t rule) const {
    return grammar.rule(rule);
  }
};

// The facts of each chunk of the start rule, from its events.
SegmentFacts facts_of_chunks(const grammar::Grammar& grammar, const PhraseTable& phrases,
                             const std::vector<GrammarForm::StartChunk>& chunks,
                             FactsBuilder& facts, std::uint64_t memory_bytes) {
  const RulesInMemory rules{grammar};
  Expansion expansion(rules, phrases,
                      std::min(memory_bytes / 8, Expansion<const RulesInMemory>::kUsualFlatBytes));
  std::vector<Event> batch(kSliceEvents);
  std::span<const grammar::Symbol> start = grammar.rule(0);
  for (const GrammarForm::StartChunk& chunk : chunks) {
    expansion.start(start.first(chunk.symbols));
    start = start.subspan(chunk.symbols);
    while (const std::size_t filled = expansion.fill(batch)) {
      facts.add(std::span(batch).first(filled));
    }
    facts.close_chunk();
  }
  return facts.finish();
}

}  // namespace

GrammarSegmentEncoder::GrammarSegmentEncoder(std::optional<Symbols> symbols,
                                             std::uint64_t memory_bytes,
                                             const grammar::EncodeLimits& limits)
    : wanted_symbols_(symbols),
      most_memory_bytes_(std::min(memory_bytes, kMostUsefulBytes)),
      limits_(limits),
      facts_(trace::FrameStack{}) {}

std::size_t GrammarSegmentEncoder::append(std::span<const Event> events) {
  if (!trie_) {
    if (!wanted_symbols_ && first_events_.size() + events.size() < kFewEvents) {
      first_events_.insert(first_events_.end(), events.begin(), events.end());
      return events.size();
    }
    begin(wanted_symbols_.value_or(Symbols::segments));
  }
  std::size_t taken = 0;
  while (taken < events.size()) {
    if (sequitur_->appended() > 0 && is_full()) break;
    const auto slice = events.subspan(taken, std::min(events.size() - taken, kSliceEvents));
    feed(slice);
    taken += slice.size();
  }
  return taken;
}

bool GrammarSegmentEncoder::is_full() const {
  const std::uint64_t building_bytes =
      trie_->memory_bytes() + facts_.memory_bytes() + sequitur_->memory_bytes_after_growth();
  // Storing comes after building and may take as much; traces without repeats have many phrases.
  const std::uint64_t storing_bytes =
      trie_->size() * kStoringBytesPerPhrase + sequitur_->symbol_count() * kStoringBytesPerSymbol;
  return std::max(building_bytes, storing_bytes) > most_memory_bytes_;
}

void GrammarSegmentEncoder::begin(Symbols symbols) {
  symbols_ = symbols;
  trie_.emplace(symbols, facts_.frames());
  sequitur_.emplace();
  const std::vector<Event> first = std::exchange(first_events_, {});
  feed(first);
}

void GrammarSegmentEncoder::feed(std::span<const Event> events) {
  trie_->append(events, phrases_);
  feed_phrases();
}

void GrammarSegmentEncoder::feed_phrases() {
  for (const std::uint32_t phrase : phrases_) sequitur_->append(phrase);
  phrases_.clear();
}

std::uint64_t GrammarSegmentEncoder::memory_bytes() const {
  if (!trie_) return first_events_.capacity() * sizeof(Event);
  return trie_->memory_bytes() + facts_.memory_bytes() + sequitur_->memory_bytes();
}

EncodedSegment GrammarSegmentEncoder::finish() {
  if (!trie_) begin(Symbols::blocks);
  trie_->flush(phrases_);
  feed_phrases();
  const PhraseTable phrases = trie_->table();
  trie_.reset();
  // Its memory is what storing the grammar needs, and idle streams keep none.
  const grammar::Grammar grammar = sequitur_->finish();
  sequitur_.reset();

  std::vector<grammar::Measure> measures;
  measures.reserve(phrases.size());
  for (std::size_t i = 0; i < phrases.size(); ++i) measures.push_back(measure_of(phrases[i]));
  grammar::StoredGrammar stored = grammar::encode_grammar(grammar, measures, limits_);

  GrammarForm form;
  form.symbols = symbols_;
  form.phrases = phrases.size();
  EncodedSegment segment;
  segment.blobs.push_back(encode_phrases(phrases));
  segment.blobs.push_back(std::move(stored.symbol_table));
  form.blocks = stored.blocks.size();
  for (base::Bytes& block : stored.blocks) segment.blobs.push_back(std::move(block));
  for (grammar::StoredChunk& chunk : stored.chunks) {
    form.chunks.push_back({chunk.symbol_count});
    segment.blobs.push_back(std::move(chunk.bytes));
  }
  segment.form_part = form.encode();
  segment.facts = facts_of_chunks(grammar, phrases, form.chunks, facts_, most_memory_bytes_);
  return segment;
}

}  // namespace pathspool::spool
