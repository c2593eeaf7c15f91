#include "measurements.h"

#include <fmt/core.h>

#include "baselines.h"
#include "grammar/sequitur.h"
#include "measure_spool.h"
#include "pathspool/spool.h"
#include "spool/phrase_trie.h"
#include "stopwatch.h"

namespace pathspool::grammar {

// Sequitur's friend: tells the two arrays apart, which the targets do.
class SequiturProbe {
 public:
  [[nodiscard]] static std::uint64_t node_bytes(const Sequitur& sequitur) {
    return sequitur.nodes_.bytes();
  }
};

}  // namespace pathspool::grammar

namespace pathspool::bench {
namespace {

void measure_baselines(const Trace& trace, const MeasureOptions& options, TraceResult& result) {
  {
    const std::vector<std::uint32_t> words = as_words(trace.events);
    std::uint64_t bytes = 0;
    const double xz = median_of(options.repeats, [&] {
      return nanoseconds_of(cpu_nanoseconds, [&] { bytes = xz_bytes(bytes_of(words), 6); });
    });
    result.set("xz6_u32_ns", xz / static_cast<double>(words.size()));
    result.set("xz6_u32_bytes", static_cast<double>(bytes));
  }
  const std::vector<std::uint16_t> symbols = as_short_symbols(trace.events);
  if (symbols.empty()) return;
  const ByteSpan raw = bytes_of(symbols);
  result.set("xz6_u16_bytes", static_cast<double>(xz_bytes(raw, 6)));
  result.set("zstd3_u16_bytes", static_cast<double>(zstd_bytes(raw, 3)));
  if (options.full) result.set("zstd19_u16_bytes", static_cast<double>(zstd_bytes(raw, 19)));
  result.set("bzip2_u16_bytes", static_cast<double>(bzip2_bytes(raw, 9)));
  result.set("gzip6_u16_bytes", static_cast<double>(gzip_bytes(raw, 6)));
}

constexpr std::size_t kSliceEvents = 4096;  // as the packer feeds them

template <typename Visit>
void each_slice(const std::vector<Event>& events, Visit visit) {
  std::span<const Event> left = events;
  while (!left.empty()) {
    const std::size_t size = std::min(left.size(), kSliceEvents);
    visit(left.first(size));
    left = left.subspan(size);
  }
}

std::vector<std::uint32_t> phrases_of(const Trace& trace, Symbols symbols) {
  spool::PhraseTrie trie(symbols);
  std::vector<std::uint32_t> phrases;
  trie.append(trace.events, phrases);
  trie.flush(phrases);
  return phrases;
}

// SEQUITUR alone, on symbols that lie ready.
void measure_sequitur(const Trace& trace, Symbols symbols, const MeasureOptions& options,
                      TraceResult& result) {
  const std::string prefix = std::string(name_of(symbols)) + "_";
  const auto events = static_cast<double>(trace.events.size());
  const std::vector<std::uint32_t> phrases = phrases_of(trace, symbols);
  result.set(prefix + "symbols_fed", static_cast<double>(phrases.size()));

  std::uint64_t node_bytes = 0;
  std::uint64_t all_bytes = 0;
  std::uint64_t grammar_symbols = 0;
  const double alone = median_of(options.repeats, [&] {
    grammar::Sequitur sequitur;
    const double time = nanoseconds_of(cpu_nanoseconds, [&] {
      for (const std::uint32_t phrase : phrases) sequitur.append(phrase);
    });
    node_bytes = grammar::SequiturProbe::node_bytes(sequitur);
    all_bytes = sequitur.memory_bytes();
    grammar_symbols = sequitur.symbol_count();
    return time;
  });
  const auto symbol_count = static_cast<double>(grammar_symbols);
  result.set(prefix + "grammar_symbols", symbol_count);
  result.set(prefix + "sequitur_ns", alone / events);
  result.set(prefix + "node_bytes_per_symbol", static_cast<double>(node_bytes) / symbol_count);
  result.set(prefix + "digram_table_bytes_per_symbol",
             static_cast<double>(all_bytes - node_bytes) / symbol_count);
}

// Events to grammar: the trie and SEQUITUR, a slice at a time, as the packer runs them.
void measure_trie_and_sequitur(const Trace& trace, Symbols symbols, const MeasureOptions& options,
                               TraceResult& result) {
  const std::string prefix = std::string(name_of(symbols)) + "_";
  const double both = median_of(options.repeats, [&] {
    spool::PhraseTrie trie(symbols);
    grammar::Sequitur sequitur;
    std::vector<std::uint32_t> slice;
    const auto feed = [&] {
      for (const std::uint32_t phrase : slice) sequitur.append(phrase);
      slice.clear();
    };
    return nanoseconds_of(cpu_nanoseconds, [&] {
      each_slice(trace.events, [&](std::span<const Event> events) {
        trie.append(events, slice);
        feed();
      });
      trie.flush(slice);
      feed();
    });
  });
  const double per_event = both / static_cast<double>(trace.events.size());
  result.set(prefix + "trie_sequitur_ns", per_event);
  result.set(prefix + "cpu_to_xz_ratio", per_event / *result.get("xz6_u32_ns"));
}

}  // namespace

TraceResult measure(const Trace& trace, const MeasureOptions& options) {
  TraceResult result{trace.name, {}};
  result.set("events", static_cast<double>(trace.events.size()));
  measure_baselines(trace, options, result);
  for (const Symbols symbols : {Symbols::blocks, Symbols::segments}) {
    measure_sequitur(trace, symbols, options, result);
    measure_trie_and_sequitur(trace, symbols, options, result);
  }
  measure_spools(trace, options, result);
  return result;
}

}  // namespace pathspool::bench
