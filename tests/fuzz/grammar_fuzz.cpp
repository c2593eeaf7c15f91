// The grammar reader and the phrase decoder on arbitrary blobs, with arbitrary measures and counts.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "grammar/grammar_reader.h"
#include "pathspool/error.h"
#include "spool/phrase_decoder.h"

namespace {

using namespace pathspool;

constexpr std::uint64_t kFunctions = 20;

void read_phrases(base::ByteView bytes, std::uint64_t claimed) {
  try {
    const spool::PhraseTable table = spool::decode_phrases(bytes, claimed, kFunctions);
    PATHSPOOL_CHECK(table.size() == claimed);
    for (std::size_t i = 0; i < table.size(); ++i) {
      PATHSPOOL_CHECK(!table[i].empty() && table[i].size() <= spool::kLongestPhrase);
      for (const Event& event : table[i]) {
        PATHSPOOL_CHECK(event.kind != EventKind::enter || event.id < kFunctions);
        PATHSPOOL_CHECK(event.kind != EventKind::block || event.id != 0);
        PATHSPOOL_CHECK(event.kind != EventKind::exit || event.id == 0);
      }
    }
  } catch (const Error&) {
  }
}

void check_symbols(const grammar::GrammarReader& reader, std::span<const grammar::Symbol> symbols) {
  for (const grammar::Symbol symbol : symbols) {
    PATHSPOOL_CHECK(grammar::rule_index(symbol) <
                    (grammar::is_rule(symbol) ? reader.rule_count() : reader.terminal_count()));
  }
}

// Whatever was read is consistent: symbols exist, and what has a measure measures what its body
// does.
void read_grammar(base::ByteView table, const std::vector<base::ByteView>& blocks,
                  base::ByteView chunk, std::uint32_t symbols, base::ByteReader& numbers) {
  try {
    std::vector<grammar::Measure> measures(grammar::GrammarReader::terminal_count(table));
    for (grammar::Measure& measure : measures) {
      const std::uint8_t code = numbers.failed() ? 0 : numbers.u8();
      measure = {1U + code % 7, code / 7U % 3, code / 21U % 3};
    }
    std::vector<std::uint64_t> block_bytes;
    for (const base::ByteView block : blocks) block_bytes.push_back(block.size());
    grammar::GrammarReader reader(table, std::move(measures), 2, block_bytes,
                                  [&blocks](std::uint32_t block) {
                                    return base::Bytes(blocks[block].begin(), blocks[block].end());
                                  });
    for (std::uint32_t rule = 0; rule < reader.rule_count(); ++rule) {
      try {
        const std::span<const grammar::Symbol> body = reader.body(rule);
        PATHSPOOL_CHECK(body.size() >= 2);
        check_symbols(reader, body);
        PATHSPOOL_CHECK(reader.measure(grammar::rule_symbol(rule)) == reader.measure(body));
      } catch (const Error&) {
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      check_symbols(reader, reader.decode_chunk(i, chunk, symbols));
    }
  } catch (const Error&) {
  }
}

}  // namespace

// The input: a few counts and lengths, then the blobs they speak of, then the measures.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::ByteReader input({data, size});
  const std::uint64_t claimed_phrases = input.varint();
  const base::ByteView phrases = input.bytes(input.varint());
  if (!input.failed()) read_phrases(phrases, claimed_phrases);

  const base::ByteView table = input.bytes(input.varint());
  const std::uint32_t symbols = input.varint32();
  const base::ByteView chunk = input.bytes(input.varint());
  std::vector<base::ByteView> blocks(input.count());
  for (base::ByteView& block : blocks) block = input.bytes(input.varint());
  if (input.failed()) return 0;
  read_grammar(table, blocks, chunk, symbols, input);
  return 0;
}
