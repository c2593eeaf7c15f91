// The part of a segment's head that only form `grammar` has, shared by its encoder and its reader.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "grammar/measure.h"
#include "pathspool/spool.h"
#include "spool/chunk_facts.h"

namespace pathspool::spool {

// The blobs of the section, in order: the phrases, the symbol table, the blocks of rules, the
// chunks of the start rule.
inline constexpr std::size_t kPhrasesBlob = 0;
inline constexpr std::size_t kSymbolTableBlob = 1;
inline constexpr std::size_t kFirstRuleBlob = 2;

// The start rule has at most so many chunks, as in section 4.4 of the path-matching paper.
inline constexpr std::size_t kMostStartChunks = 128;

struct GrammarForm {
  struct StartChunk {
    std::uint32_t symbols = 0;
  };

  Symbols symbols{};
  std::uint64_t phrases = 0;
  std::uint64_t blocks = 0;  // of rules
  std::vector<StartChunk> chunks;

  [[nodiscard]] base::Bytes encode() const;
  // Fails the reader if the bytes are malformed.
  [[nodiscard]] static GrammarForm decode(base::ByteReader& reader);
};

// What the facts of a chunk say of the symbols that derive it.
[[nodiscard]] inline grammar::Measure measure_of(const ChunkFacts& chunk) {
  return {chunk.events, static_cast<std::uint64_t>(chunk.entry_depth - chunk.kept_below()),
          chunk.opened.size()};
}

// What an event, or a run of them, does to the frames.
[[nodiscard]] grammar::Measure measure_of(std::span<const Event> events);

}  // namespace pathspool::spool
