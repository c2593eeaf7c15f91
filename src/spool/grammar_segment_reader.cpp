#include "spool/grammar_segment_reader.h"

#include <algorithm>
#include <utility>

#include "pathspool/error.h"
#include "spool/expansion.h"
#include "spool/open_frames.h"
#include "spool/phrase_decoder.h"
#include "spool/printed_rules.h"

namespace pathspool::spool {
namespace {

constexpr std::size_t kBatchEvents = 8192;

// Expands chunk after chunk of the start rule.
class GrammarCursor final : public SegmentCursor {
 public:
  GrammarCursor(const GrammarSegmentReader& reader, std::size_t chunk, std::uint64_t skip)
      : reader_(reader),
        chunk_(chunk),
        expansion_(reader.rules(), reader.phrases()),
        batch_(kBatchEvents) {
    open_chunk();
    expansion_.skip(skip);
  }

  std::span<const Event> next() override {
    while (true) {
      if (const std::size_t filled = expansion_.fill(batch_))
        return std::span(batch_).first(filled);
      if (++chunk_ == reader_.head().facts.chunks.size()) return {};
      open_chunk();
    }
  }

 private:
  void open_chunk() {
    symbols_ = reader_.start_chunk(chunk_);
    expansion_.start(symbols_);
  }

  const GrammarSegmentReader& reader_;
  std::size_t chunk_;
  std::vector<grammar::Symbol> symbols_;
  Expansion<grammar::GrammarReader> expansion_;
  std::vector<Event> batch_;
};

// Follows the frames from phrase to phrase. Phrases of blocks alone, most of them, cost a
// comparison.
class ContextChecker {
 public:
  ContextChecker(const PhraseTable& phrases, Symbols symbols, trace::FrameStack entry)
      : phrases_(phrases), with_contexts_(symbols == Symbols::segments), frames_(std::move(entry)) {
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      for (const Event& event : phrases[i]) {
        if (event.kind != EventKind::block) calls_.push_back(event);
      }
      ends_.push_back(static_cast<std::uint32_t>(calls_.size()));
    }
  }

  // Whether the context is right if this phrase comes next. Throws Error if it nests too deep.
  [[nodiscard]] bool passes(std::size_t phrase) {
    const auto wanted = with_contexts_ ? frames_.running() : std::nullopt;
    const bool matters = !with_contexts_ || phrases_[phrase].front().kind == EventKind::block;
    if (matters && phrases_.contexts[phrase] != wanted) return false;
    for (std::uint32_t at = phrase == 0 ? 0 : ends_[phrase - 1]; at < ends_[phrase]; ++at) {
      frames_.apply(calls_[at]);
    }
    if (frames_.known().size() > kMostFrames) throw Error("too many frames are open there");
    return true;
  }

 private:
  const PhraseTable& phrases_;
  bool with_contexts_;
  trace::FrameStack frames_;
  std::vector<Event> calls_;         // the enters and exits of all phrases
  std::vector<std::uint32_t> ends_;  // in calls_, of each phrase
};

}  // namespace

GrammarSegmentReader::GrammarSegmentReader(const base::InputFile& file, Section section,
                                           SegmentHead head, std::uint64_t function_count)
    : file_(file),
      section_(std::move(section)),
      head_(std::move(head)),
      function_count_(function_count) {
  base::ByteReader reader(head_.form_part);
  form_ = GrammarForm::decode(reader);
  if (!reader.done() || form_.chunks.size() > kMostStartChunks ||
      form_.chunks.size() != head_.facts.chunks.size() ||
      section_.blobs.size() - form_.chunks.size() < kFirstRuleBlob ||
      section_.blobs.size() - form_.chunks.size() - kFirstRuleBlob != form_.blocks) {
    throw Error("segment's grammar is malformed", section_.ref.head_offset_bytes());
  }
}

GrammarSegmentReader::~GrammarSegmentReader() = default;

SegmentInfo GrammarSegmentReader::info() const {
  SegmentInfo info;
  info.symbols = form_.symbols;
  return info;
}

void GrammarSegmentReader::open_rules() const {
  if (rules_) return;
  phrases_ = decode_phrases(read_blob(file_, section_.blobs[kPhrasesBlob]), form_.phrases,
                            function_count_);
  std::vector<grammar::Measure> measures;
  measures.reserve(phrases_.size());
  for (std::size_t i = 0; i < phrases_.size(); ++i) measures.push_back(measure_of(phrases_[i]));
  std::vector<std::uint64_t> block_bytes;
  for (std::size_t block = 0; block < form_.blocks; ++block) {
    block_bytes.push_back(section_.blobs[kFirstRuleBlob + block].length_bytes);
  }
  rules_ = std::make_unique<grammar::GrammarReader>(
      read_blob(file_, section_.blobs[kSymbolTableBlob]), std::move(measures), form_.chunks.size(),
      block_bytes, [this](std::uint32_t block) {
        return read_blob(file_, section_.blobs[kFirstRuleBlob + block]);
      });
}

grammar::GrammarReader& GrammarSegmentReader::rules() const {
  open_rules();
  return *rules_;
}

const PhraseTable& GrammarSegmentReader::phrases() const {
  open_rules();
  return phrases_;
}

std::vector<grammar::Symbol> GrammarSegmentReader::start_chunk(std::size_t chunk) const {
  std::vector<grammar::Symbol> symbols = decode_chunk(chunk);
  if (rules().measure(symbols) != measure_of(head_.facts.chunks[chunk])) {
    throw Error("a chunk of the grammar does not derive the events it should");
  }
  return symbols;
}

std::vector<grammar::Symbol> GrammarSegmentReader::decode_chunk(std::size_t chunk) const {
  const BlobRef& blob = section_.blobs[kFirstRuleBlob + form_.blocks + chunk];
  return rules().decode_chunk(chunk, read_blob(file_, blob), form_.chunks[chunk].symbols);
}

std::span<const grammar::Symbol> GrammarSegmentReader::kept_chunk(std::size_t chunk) const {
  kept_chunks_.resize(form_.chunks.size());
  if (kept_chunks_[chunk].empty()) kept_chunks_[chunk] = decode_chunk(chunk);
  return kept_chunks_[chunk];
}

std::unique_ptr<SegmentCursor> GrammarSegmentReader::events(std::uint64_t from) const {
  const ChunkPlace place = chunk_holding(head_.facts, from);
  return std::make_unique<GrammarCursor>(*this, place.chunk, from - place.first_event);
}

trace::FrameStack GrammarSegmentReader::frames_before(std::uint64_t index) const {
  const ChunkPlace place = chunk_holding(head_.facts, index);
  trace::FrameStack frames = head_.facts.frames_before(place.chunk);
  std::uint64_t left = index - place.first_event;
  if (left == 0) return frames;

  // The way down to the event: what lies before it in each body on the way, outermost first.
  const std::vector<grammar::Symbol> chunk = start_chunk(place.chunk);
  std::vector<std::span<const grammar::Symbol>> before;
  std::span<const grammar::Symbol> body = chunk;
  std::span<const Event> before_in_phrase;
  grammar::Measure passed;
  while (left > 0) {
    std::size_t at = 0;
    while (at < body.size() && rules().measure(body[at]).length <= left) {
      left -= rules().measure(body[at]).length;
      passed = concat(passed, rules().measure(body[at]));
      ++at;
    }
    before.push_back(body.first(at));
    if (left == 0) break;
    if (grammar::is_rule(body[at])) {
      body = rules().body(grammar::rule_index(body[at]));
    } else {
      before_in_phrase = phrases()[body[at]].first(left);
      left = 0;
    }
  }

  if (passed.pushes > kMostFrames) throw Error("too many frames are open there");

  OpenFrames open(rules(), phrases());
  open.take_before(before_in_phrase);
  while (!before.empty()) {
    open.take_before(before.back());
    before.pop_back();
  }
  frames.replace_from(frames.depth() - static_cast<std::int64_t>(open.closed()),
                      open.outermost_first());
  return frames;
}

void GrammarSegmentReader::verify() const {
  for (std::size_t chunk = 0; chunk < form_.chunks.size(); ++chunk) {
    static_cast<void>(start_chunk(chunk));
  }
  for (std::uint32_t rule = 0; rule < rules().rule_count(); ++rule) {
    static_cast<void>(rules().measure(grammar::rule_symbol(rule)));
  }
}

// Every phrase in turn: its context has to be the function that runs before it.
void GrammarSegmentReader::verify_expanded() const {
  ContextChecker checker(phrases(), form_.symbols, head_.facts.entry);
  std::vector<std::span<const grammar::Symbol>> stack;
  for (std::size_t chunk = 0; chunk < form_.chunks.size(); ++chunk) {
    const std::vector<grammar::Symbol> symbols = start_chunk(chunk);
    stack.assign(1, symbols);
    while (!stack.empty()) {
      std::span<const grammar::Symbol>& top = stack.back();
      if (top.empty()) {
        stack.pop_back();
        continue;
      }
      const grammar::Symbol symbol = top.front();
      top = top.subspan(1);
      if (grammar::is_rule(symbol)) {
        stack.push_back(rules().body(grammar::rule_index(symbol)));
      } else if (!checker.passes(symbol)) {
        throw Error("a phrase's context is not the function that runs there",
                    section_.blobs[kPhrasesBlob].offset_bytes);
      }
    }
  }
}

void GrammarSegmentReader::visit_rules(const Spool::RuleVisitor& visitor) const {
  std::vector<grammar::Symbol> start;
  for (std::size_t chunk = 0; chunk < form_.chunks.size(); ++chunk) {
    const std::vector<grammar::Symbol> symbols = start_chunk(chunk);
    start.insert(start.end(), symbols.begin(), symbols.end());
  }
  PrintedRules(rules(), phrases(), start).visit(visitor);
}

}  // namespace pathspool::spool
