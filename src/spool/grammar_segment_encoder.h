// Form `grammar`: events to phrases, phrases to a SEQUITUR grammar, the grammar to blobs.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/sequitur.h"
#include "spool/phrase_trie.h"
#include "spool/segment_encoder.h"

namespace pathspool::spool {

class GrammarSegmentEncoder final : public SegmentEncoder {
 public:
  // The grammar is closed before it holds more than `memory_bytes`, as the TCgen paper caps
  // SEQUITUR's.
  GrammarSegmentEncoder(Symbols symbols, std::uint64_t memory_bytes);

  std::size_t append(std::span<const Event> events) override;
  [[nodiscard]] bool empty() const override { return events_ == 0; }
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] EncodedSegment finish() override;

 private:
  void feed();

  Symbols symbols_;
  std::uint64_t most_memory_bytes_;
  PhraseTrie trie_;
  grammar::Sequitur sequitur_;
  FactsBuilder facts_;
  std::vector<std::uint32_t> phrases_;
  std::uint64_t events_ = 0;
};

}  // namespace pathspool::spool
