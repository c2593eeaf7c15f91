// A model that is quick: three histories, mixed by learned weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "branch/average.h"
#include "branch/decision.h"
#include "branch/history.h"
#include "branch/logistic.h"
#include "branch/symbols.h"
#include "branch/zeroed_table.h"

namespace pathspool::branch {

// The contexts: the site's own and everyone's last 7 outcomes, as in `app`; the path of the last 6
// and of the last 21 decisions. See MixModel for the cache lines.
class FastModel {
 public:
  explicit FastModel(const ModelOptions& options) : FastModel(bits_of(options.memory_bytes)) {}

  template <typename Coder>
  bool conditional(Coder& coder, Site at, bool given) {
    const auto site = static_cast<std::uint32_t>(at);
    const std::uint64_t spread = (std::uint64_t{site} + 1) * kSpread;
    const std::size_t in_line = (spread >> 40) % kLine;
    const bool bit = outcome(coder, site, spread, lines_[0] ^ in_line, lines_[1] ^ in_line, given);
    outcomes_ = (outcomes_ << 1) | (bit ? 1 : 0);
    remember(site, bit ? 1 : 0);
    return bit;
  }

  template <typename Coder>
  std::uint32_t choice(Coder& coder, Site at, std::uint32_t count, std::uint32_t given) {
    return symbol(coder, static_cast<std::uint32_t>(at), count, given);
  }

  template <typename Coder>
  Target target(Coder& coder, Site at, Target given) {
    return symbols_.target(coder, given, [&](std::uint32_t count, std::uint32_t number) {
      return symbol(coder, static_cast<std::uint32_t>(at), count, number);
    });
  }

  void call(Site) {}
  void ret() {}

  [[nodiscard]] std::size_t memory_bytes() const { return bytes_of(slot_bits_); }

 private:
  static constexpr std::size_t kContexts = 3;
  static constexpr std::size_t kSites = std::size_t{1} << 14;
  static constexpr std::size_t kMixedSites = std::size_t{1} << 11;
  static constexpr std::uint64_t kHash = 0xd6e8feb86659fd93;
  static constexpr std::size_t kLine = 16;  // slots
  static constexpr unsigned kLeastBits = 10;
  static constexpr unsigned kUsualBits = 16;
  static constexpr unsigned kMostBits = 22;

  struct Weights {
    std::array<std::int32_t, 4> of{};
  };

  static std::size_t bytes_of(unsigned bits) {
    return (kContexts << bits) * sizeof(std::uint32_t) + kSites * sizeof(std::uint16_t) +
           kMixedSites * sizeof(Weights) + Symbols::bytes() + sizeof(FastModel);
  }

  static unsigned bits_of(std::size_t memory_bytes) {
    if (memory_bytes == 0) return kUsualBits;
    constexpr std::size_t kBeside = std::size_t{1} << 16;  // what else a Model holds
    unsigned bits = kMostBits;
    while (bits > kLeastBits && bytes_of(bits) + kBeside > memory_bytes) --bits;
    return bits;
  }

  explicit FastModel(unsigned bits)
      : slot_bits_(bits), slots_(kContexts << bits), locals_(kSites), weights_(kMixedSites) {
    for (std::size_t i = 0; i < kMixedSites; ++i) weights_[i].of.fill(kFirstWeight);
    find_lines();
  }

  [[nodiscard]] std::size_t slot_of(std::size_t context, std::uint64_t value) const {
    return (context << slot_bits_) + ((value * kHash) >> (64 - slot_bits_));
  }

  void find_lines() {
    lines_ = {slot_of(0, short_path_.value()), slot_of(1, path_.value())};
    for (const std::size_t line : lines_) __builtin_prefetch(&slots_[line]);
  }

  void remember(std::uint32_t site, std::uint32_t value) {
    const std::uint64_t step = step_of(site, value);
    short_path_.add(step);
    path_.add(step);
    find_lines();
  }

  template <typename Coder>
  bool outcome(Coder& coder, std::uint32_t key, std::uint64_t spread, std::size_t in_short_path,
               std::size_t in_path, bool given) {
    std::uint16_t& local = locals_[key % kSites];
    const std::uint64_t both = ((local & 127U) << 7) | (outcomes_ & 127);
    std::uint32_t& slot0 = slots_[in_short_path];
    std::uint32_t& slot1 = slots_[in_path];
    std::uint32_t& slot2 = slots_[slot_of(2, both ^ spread)];
    const int odds0 = stretch(average::probability(slot0));
    const int odds1 = stretch(average::probability(slot1));
    const int odds2 = stretch(average::probability(slot2));
    Weights& weights = weights_[key % kMixedSites];
    // Weights are below 2^19 and odds below 2^12.
    const int sum =
        (weights.of[0] * odds0 >> 4) + (weights.of[1] * odds1 >> 4) + (weights.of[2] * odds2 >> 4);
    const std::uint32_t probability = squash(limited_odds(sum >> 12));
    const bool bit = coder.bit(probability, given);

    const int error = ((bit ? 65535 : 0) - static_cast<int>(probability)) * kRate / 16;
    const auto learn = [&](std::size_t i, int odds) {
      const int weight = weights.of[i] + ((odds * error + (1 << 15)) >> 16);
      weights.of[i] = std::clamp(weight, -kMostWeight, kMostWeight);
    };
    learn(0, odds0);
    learn(1, odds1);
    learn(2, odds2);
    slot0 = average::updated(slot0, bit);
    slot1 = average::updated(slot1, bit);
    slot2 = average::updated(slot2, bit);
    local = static_cast<std::uint16_t>((local << 1) | (bit ? 1 : 0));
    return bit;
  }

  template <typename Coder>
  std::uint32_t symbol(Coder& coder, std::uint32_t site, std::uint32_t count, std::uint32_t given) {
    const Symbols::Paths paths{path_.value(), short_path_.value(), {}};
    const std::uint32_t value =
        symbols_.choice(site, count, given, paths, [&](std::uint32_t key, bool bit) {
          const std::uint64_t spread = (std::uint64_t{key} + 1) * kSpread;
          return outcome(coder, key, spread, slot_of(0, short_path_.value() ^ spread),
                         slot_of(1, path_.value() ^ spread), bit);
        });
    remember(site, value);
    return value;
  }

  static constexpr int kRate = 14;
  static constexpr int kFirstWeight = 28'000;
  static constexpr int kMostWeight = (1 << 19) - 1;

  unsigned slot_bits_;
  ZeroedTable<std::uint32_t> slots_;
  ZeroedTable<std::uint16_t> locals_;
  ZeroedTable<Weights> weights_;
  Symbols symbols_;
  PathHash<10> short_path_;
  PathHash<3> path_;
  std::uint64_t outcomes_ = 0;
  std::array<std::size_t, 2> lines_{};  // any slot in each
};

}  // namespace pathspool::branch
