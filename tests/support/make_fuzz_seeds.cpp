// Writes the first inputs of the fuzzers: small spools of every form, and the blobs of small
// grammars.
//
//   make_fuzz_seeds tests/fuzz/corpus
#include <filesystem>
#include <string>

#include "grammar/grammar_encoder.h"
#include "grammar/sequitur.h"
#include "spool/grammar_form.h"
#include "spool/packed.h"
#include "spool/phrase_encoder.h"
#include "spool/phrase_trie.h"
#include "support/container.h"
#include "support/pack_ways.h"
#include "support/random_program.h"
#include "support/random_trace.h"
#include "support/recording.h"
#include "support/scratch.h"
#include "support/segmented.h"

namespace pathspool {
namespace {

base::Bytes grammar_seed(std::uint64_t seed, Symbols symbols) {
  spool::PhraseTrie trie(symbols);
  std::vector<std::uint32_t> phrases;
  trie.append(testing::random_trace(seed, 300), phrases);
  trie.flush(phrases);
  grammar::Sequitur sequitur;
  for (const std::uint32_t phrase : phrases) sequitur.append(phrase);
  const spool::PhraseTable table = trie.table();
  std::vector<grammar::Measure> measures;
  for (std::size_t i = 0; i < table.size(); ++i) measures.push_back(spool::measure_of(table[i]));
  grammar::EncodeLimits limits;
  limits.max_chunks = 1;
  limits.block_rules = 8;
  const grammar::StoredGrammar stored =
      grammar::encode_grammar(sequitur.finish(), measures, limits);
  base::ByteWriter writer;
  const auto blob = [&writer](base::ByteView bytes) {
    writer.varint(bytes.size());
    writer.bytes(bytes);
  };
  writer.varint(table.size());
  blob(spool::encode_phrases(table));
  blob(stored.symbol_table);
  writer.varint(stored.chunks[0].symbol_count);
  blob(stored.chunks[0].bytes);
  writer.varint(stored.blocks.size());
  for (const auto& block : stored.blocks) blob(block);
  for (const grammar::Measure& measure : measures) {
    writer.u8(static_cast<std::uint8_t>((measure.length - 1) % 7 + 7 * (measure.pops % 3) +
                                        21 * (measure.pushes % 3)));
  }
  return writer.take();
}

// Functions with graphs, in a list that is not compressed: what is in it can be mutated.
void write_graphs(const std::filesystem::path& path) {
  testing::RandomProgram program(1, 3);
  testing::Recording recording = testing::one_stream(program.run(60));
  recording.functions = program.functions();
  recording.notes = {{{StreamId{0}, 7}, NoteKind::mark, "note"}};
  testing::write_spool(path, recording);
  auto sections = *testing::take_apart(testing::read_whole(path));
  for (testing::RawSection& section : sections) {
    if (section.type != spool::kFunctionsSection) continue;
    base::ByteReader reader(section.content);
    base::ByteWriter writer;
    writer.varint(reader.varint());
    writer.varint(reader.varint());
    const base::Bytes raw = spool::read_packed(reader).raw;
    writer.varint(raw.size());
    writer.varint(0);
    writer.bytes(raw);
    section.content = writer.take();
  }
  sections.pop_back();
  testing::write_whole(path, testing::put_together_with_table(sections));
}

void make_seeds(const std::filesystem::path& corpus) {
  std::filesystem::create_directories(corpus / "spool");
  std::filesystem::create_directories(corpus / "grammar");
  for (testing::PackWay way : testing::all_pack_ways()) {
    std::string name = way.name;
    name.replace(name.find(", "), 2, "_");
    way.options.chunk_bytes = 30;
    testing::write_segmented(corpus / "spool" / name, testing::full_recording(2, 80), way.options,
                             50);
    way.options.index = false;
    testing::write_spool(corpus / "spool" / (name + "_one_segment"),
                         testing::one_stream(testing::random_trace(3, 200)), way.options);
  }
  testing::write_spool(corpus / "spool" / "empty", testing::Recording{});
  write_graphs(corpus / "spool" / "graphs");
  for (const std::uint64_t seed : {1, 2, 3}) {
    for (const Symbols symbols : {Symbols::blocks, Symbols::segments}) {
      testing::write_whole(
          corpus / "grammar" / (std::string(name_of(symbols)) + "_" + std::to_string(seed)),
          grammar_seed(seed, symbols));
    }
  }
}

}  // namespace
}  // namespace pathspool

int main(int count, char** arguments) {
  if (count != 2) return 2;
  pathspool::make_seeds(arguments[1]);
  return 0;
}
