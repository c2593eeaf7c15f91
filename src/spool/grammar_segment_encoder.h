// Form `grammar`: events to phrases, phrases to a SEQUITUR grammar, the grammar to blobs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/grammar_encoder.h"
#include "grammar/sequitur.h"
#include "spool/phrase_trie.h"
#include "spool/segment_encoder.h"

namespace pathspool::spool {

class GrammarSegmentEncoder final : public SegmentEncoder {
 public:
  // The grammar is closed before it holds more than `memory_bytes`, as the TCgen paper caps
  // SEQUITUR's.
  GrammarSegmentEncoder(std::optional<Symbols> symbols, std::uint64_t memory_bytes,
                        const grammar::EncodeLimits& limits = {});

  std::size_t append(std::span<const Event> events) override;
  [[nodiscard]] bool empty() const override { return !trie_ && first_events_.empty(); }
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] EncodedSegment finish() override;

 private:
  [[nodiscard]] bool is_full() const;
  void begin(Symbols symbols);
  void feed(std::span<const Event> events);
  void feed_phrases();

  std::optional<Symbols> wanted_symbols_;
  std::uint64_t most_memory_bytes_;
  grammar::EncodeLimits limits_;
  std::vector<Event> first_events_;  // until there are enough to choose the symbols
  Symbols symbols_{};
  std::optional<PhraseTrie> trie_;             // of this segment, once the symbols are chosen
  std::optional<grammar::Sequitur> sequitur_;  // likewise
  FactsBuilder facts_;
  std::vector<std::uint32_t> phrases_;
};

}  // namespace pathspool::spool
