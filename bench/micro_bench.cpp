// The parts that packing and reading are made of, each alone.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>

#include "base/adaptive_bit.h"
#include "base/checksum.h"
#include "base/range_decoder.h"
#include "base/range_encoder.h"
#include "pathspool/text.h"
#include "spool/chunk_facts.h"
#include "spool/event_decoder.h"
#include "spool/event_encoder.h"
#include "spool/phrase_trie.h"
#include "traces.h"

namespace pathspool::bench {
namespace {

constexpr std::uint64_t kEvents = 1'000'000;

const Trace& trace() {
  static const Trace made = generate("compiler", kEvents);
  return made;
}

base::Bytes encoded(const std::vector<Event>& events) {
  base::Bytes bytes(events.size() * spool::kLongestEventBytes);
  std::uint8_t* out = bytes.data();
  for (const Event& event : events) out = spool::encode_event(event, out);
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

void per_item(benchmark::State& state, std::uint64_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

void events_to_bytes(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(encoded(trace().events));
  per_item(state, kEvents);
}
BENCHMARK(events_to_bytes);

void bytes_to_events(benchmark::State& state) {
  const base::Bytes bytes = encoded(trace().events);
  std::vector<Event> batch(4096);
  for (auto _ : state) {
    spool::EventDecoder decoder(bytes, trace().function_count);
    while (decoder.next(batch) > 0) benchmark::DoNotOptimize(batch.data());
  }
  per_item(state, kEvents);
}
BENCHMARK(bytes_to_events);

void facts_of_events(benchmark::State& state) {
  for (auto _ : state) {
    spool::FactsBuilder facts(trace::FrameStack{});
    facts.add(trace().events);
    facts.close_chunk();
    benchmark::DoNotOptimize(facts.finish());
  }
  per_item(state, kEvents);
}
BENCHMARK(facts_of_events);

void phrases_of_events(benchmark::State& state) {
  const auto symbols = static_cast<Symbols>(state.range(0));
  std::vector<std::uint32_t> phrases;
  for (auto _ : state) {
    spool::PhraseTrie trie(symbols);
    phrases.clear();
    trie.append(trace().events, phrases);
    trie.flush(phrases);
    benchmark::DoNotOptimize(phrases.data());
  }
  per_item(state, kEvents);
}
BENCHMARK(phrases_of_events)
    ->ArgName("symbols")
    ->Arg(static_cast<int>(Symbols::blocks))
    ->Arg(static_cast<int>(Symbols::segments));

std::string text_of_trace(const FunctionTable& functions) {
  std::string text;
  TextWriter writer([&text](std::string_view bytes) { text += bytes; }, functions);
  writer.events(trace().events);
  writer.finish();
  return text;
}

FunctionTable functions_of_trace() {
  FunctionTable functions;
  for (std::uint32_t id = 0; id < trace().function_count; ++id) {
    functions.intern("f" + std::to_string(id));
  }
  return functions;
}

void events_to_text(benchmark::State& state) {
  const FunctionTable functions = functions_of_trace();
  for (auto _ : state) {
    TextWriter writer([](std::string_view bytes) { benchmark::DoNotOptimize(bytes.data()); },
                      functions);
    writer.events(trace().events);
    writer.finish();
  }
  per_item(state, kEvents);
}
BENCHMARK(events_to_text);

void text_to_events(benchmark::State& state) {
  const std::string text = text_of_trace(functions_of_trace());
  for (auto _ : state) {
    std::string_view left = text;
    FunctionTable functions;
    TextReader reader(
        [&left](std::span<char> buffer) {
          const std::size_t size = std::min(buffer.size(), left.size());
          std::memcpy(buffer.data(), left.data(), size);
          left.remove_prefix(size);
          return size;
        },
        functions);
    TextBatch batch;
    while (reader.next(batch)) benchmark::DoNotOptimize(batch.events.data());
  }
  per_item(state, kEvents);
}
BENCHMARK(text_to_events);

// One adaptive bit for each of 16 contexts, the bits those of a made-up source with habits.
std::vector<bool> bits_with_habits() {
  std::vector<bool> bits;
  for (const Event& event : trace().events) bits.push_back(event.id % 3 == 0);
  return bits;
}

base::Bytes range_coded(const std::vector<bool>& bits) {
  std::array<base::AdaptiveBit, 16> models{};
  base::RangeEncoder encoder;
  std::size_t context = 0;
  for (const bool one : bits) {
    encoder.bit(models[context], one);
    context = (2 * context + (one ? 1U : 0U)) % models.size();
  }
  return encoder.finish();
}

void range_encode_bits(benchmark::State& state) {
  const std::vector<bool> bits = bits_with_habits();
  for (auto _ : state) benchmark::DoNotOptimize(range_coded(bits));
  per_item(state, bits.size());
}
BENCHMARK(range_encode_bits);

void range_decode_bits(benchmark::State& state) {
  const base::Bytes bytes = range_coded(bits_with_habits());
  for (auto _ : state) {
    std::array<base::AdaptiveBit, 16> models{};
    base::RangeDecoder decoder(bytes);
    std::size_t context = 0;
    for (std::uint64_t i = 0; i < kEvents; ++i) {
      context = (2 * context + (decoder.bit(models[context]) ? 1U : 0U)) % models.size();
    }
    benchmark::DoNotOptimize(context);
  }
  per_item(state, kEvents);
}
BENCHMARK(range_decode_bits);

void checksum_bytes(benchmark::State& state) {
  const base::Bytes bytes(static_cast<std::size_t>(state.range(0)), 0x5a);
  for (auto _ : state) benchmark::DoNotOptimize(base::checksum(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(checksum_bytes)->Arg(64)->Arg(4 << 10)->Arg(4 << 20);

}  // namespace
}  // namespace pathspool::bench

BENCHMARK_MAIN();
