// The model of choice: predictors over several histories, mixed by learned weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "branch/average.h"
#include "branch/decision.h"
#include "branch/history.h"
#include "branch/long_match.h"
#include "branch/mixer.h"
#include "branch/refinement.h"
#include "branch/symbols.h"
#include "branch/zeroed_table.h"

namespace pathspool::branch {

// Seven contexts, each with a table of averages: the site's own and everyone's last 7 outcomes; its
// last 32; how long its last runs were; the path of the last 6, of the last 21 and of the last 64
// decisions; the last 16 of this call. The eighth predictor is a long match. Their odds are mixed
// by weights that depend on site and match, and what results is refined by what came of it before.
//
// A path all but implies the site that it leads to. So the cache line of a path's slot depends on
// the path alone and is fetched as soon as that is known; the site chooses the slot in the line.
class MixModel {
 public:
  explicit MixModel(const ModelOptions& options) : MixModel(scale_of(options.memory_bytes)) {}

  template <typename Coder>
  bool conditional(Coder& coder, Site at, bool given) {
    const auto site = static_cast<std::uint32_t>(at);
    const bool matches = match_.is_at(site);
    return outcome<Kind::conditional>(coder, site, site, matches, given);
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

  void call(Site) { call_.call(); }
  void ret() { call_.ret(); }

  [[nodiscard]] std::size_t memory_bytes() const { return bytes_of(scale_); }

 private:
  enum class Kind : std::uint8_t { conditional, part_of_symbol };

  static constexpr std::size_t kContexts = 7;
  static constexpr std::size_t kPaths = 3;  // of the contexts, the first
  static constexpr std::size_t kOwn = kContexts - kPaths;
  static constexpr std::size_t kSites = std::size_t{1} << 14;
  static constexpr std::size_t kMixedSites = std::size_t{1} << 10;
  static constexpr std::size_t kMatchStates = 4;
  static constexpr std::size_t kMatchLengths = 32;
  static constexpr std::uint64_t kHash = 0xd6e8feb86659fd93;
  static constexpr std::size_t kLine = 16;  // slots

  // Tables grow and shrink together, by powers of two.
  static constexpr int kLeastScale = -6;
  static constexpr int kMostScale = 5;
  static constexpr unsigned slot_bits(int scale) { return static_cast<unsigned>(16 + scale); }
  static constexpr unsigned ring_bits(int scale) {
    return static_cast<unsigned>(std::min(20 + scale, 24));
  }
  static constexpr unsigned place_bits(int scale) { return static_cast<unsigned>(16 + scale); }

  static std::size_t bytes_of(int scale) {
    return (kContexts << slot_bits(scale)) * sizeof(std::uint32_t) + kSites * sizeof(SiteHistory) +
           Mixer::bytes(kMixedSites * kMatchStates) + Refinement::bytes(kMixedSites) +
           LongMatch::bytes(ring_bits(scale), place_bits(scale)) + Symbols::bytes() +
           sizeof(MixModel);
  }

  static int scale_of(std::size_t memory_bytes) {
    if (memory_bytes == 0) return 0;
    // What else a Model holds is small.
    constexpr std::size_t kBeside = std::size_t{1} << 16;
    int scale = kMostScale;
    while (scale > kLeastScale && bytes_of(scale) + kBeside > memory_bytes) --scale;
    return scale;
  }

  explicit MixModel(int scale)
      : scale_(scale),
        slot_bits_(slot_bits(scale)),
        slots_(kContexts << slot_bits(scale)),
        sites_(kSites),
        mixer_(kMixedSites * kMatchStates),
        refinement_(kMixedSites),
        match_(ring_bits(scale), place_bits(scale)) {
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      matched_[i] = i % 2 == 0 ? 5536U << 16 : 60000U << 16;
    }
    find_lines();
    prepare(0);
  }

  // The slot of a context that includes the site's number.
  [[nodiscard]] std::size_t slot_of(std::size_t context, std::uint64_t value) const {
    return (context << slot_bits_) + ((value * kHash) >> (64 - slot_bits_));
  }

  // The lines of the paths, on their way into the cache while the tables are updated.
  void find_lines() {
    const std::array<std::uint64_t, kPaths> paths = {short_path_.value(), path_.value(),
                                                     long_path_.value()};
    for (std::size_t i = 0; i < kPaths; ++i) {
      lines_[i] = slot_of(i, paths[i]);
      __builtin_prefetch(&slots_[lines_[i]]);
    }
  }

  // Of the contexts that are the site's own, and that of the call.
  [[nodiscard]] std::array<std::size_t, 4> own_slots(const SiteHistory& own,
                                                     std::uint64_t spread) const {
    const std::uint64_t runs =
        (std::uint64_t{own.run} << 20) | (std::uint64_t{own.run_before} << 1) | (own.outcomes & 1);
    return {slot_of(kPaths, call_.value() ^ spread),
            slot_of(kPaths + 1, (((own.outcomes & 127) << 7) | (outcomes_ & 127)) ^ spread),
            slot_of(kPaths + 2, own.outcomes ^ spread), slot_of(kPaths + 3, runs ^ spread)};
  }

  void prepare(std::uint32_t site) {
    prepared_.site = site;
    prepared_.call = call_.value();
    prepared_.slots = own_slots(sites_[site % kSites], (std::uint64_t{site} + 1) * kSpread);
    for (const std::size_t slot : prepared_.slots) __builtin_prefetch(&slots_[slot]);
  }

  template <Kind kind, typename Coder>
  bool outcome(Coder& coder, std::uint32_t site, std::uint32_t key, bool matches, bool given) {
    SiteHistory& own = sites_[key % kSites];
    const std::uint64_t spread = (std::uint64_t{key} + 1) * kSpread;

    std::array<std::uint32_t*, kContexts> slots;
    const auto slot = [&](std::size_t context, std::uint64_t value) {
      slots[context] = &slots_[slot_of(context, value ^ spread)];
    };
    if constexpr (kind == Kind::conditional) {
      const std::size_t in_line = (spread >> 40) % kLine;
      for (std::size_t i = 0; i < kPaths; ++i) slots[i] = &slots_[lines_[i] ^ in_line];
    } else {
      slot(0, short_path_.value());
      slot(1, path_.value());
      slot(2, long_path_.value());
    }
    if (kind == Kind::conditional && key == prepared_.site && call_.value() == prepared_.call) {
      for (std::size_t i = 0; i < kOwn; ++i) slots[kPaths + i] = &slots_[prepared_.slots[i]];
    } else {
      const std::array<std::size_t, kOwn> found = own_slots(own, spread);
      for (std::size_t i = 0; i < kOwn; ++i) slots[kPaths + i] = &slots_[found[i]];
    }

    using Four = Lanes::Four;
    const auto odds_in = [&](std::size_t i) { return stretch(average::probability(*slots[i])); };
    std::size_t match_context = 0;
    std::size_t match_state = 0;
    int match_odds = 0;
    if (kind == Kind::conditional && matches) {
      const std::uint32_t length = match_.length();
      match_context = 2 * bucket_of(length) + (match_.expected() & 1);
      match_odds = stretch(matched_[match_context]);
      match_state = length < 32 ? 1 : length < 400 ? 2 : 3;
    }
    const Lanes inputs(Four{odds_in(0), odds_in(1), odds_in(2), odds_in(3)},
                       Four{odds_in(4), odds_in(5), odds_in(6), match_odds});

    const std::size_t set = (key % kMixedSites) * kMatchStates + match_state;
    const int odds = mixer_.odds(set, inputs);
    const std::uint32_t mixed = squash(odds);
    const std::uint32_t refined = refinement_.refined(key % kMixedSites, odds);
    const std::uint32_t probability = (mixed + refined + 1) / 2;
    const bool bit = coder.bit(probability, given);

    if constexpr (kind == Kind::conditional) {
      remember(site, bit ? 1 : 0);
      outcomes_ = (outcomes_ << 1) | (bit ? 1 : 0);
      if (matches) {
        std::uint32_t& average = matched_[match_context];
        average = bit ? average + (~average >> 6) : average - (average >> 6);
      }
    }
    own.add(bit);
    if constexpr (kind == Kind::conditional) {
      sites_[last_site_ % kSites].next[last_bit_] = static_cast<std::uint16_t>(site);
      last_site_ = site;
      last_bit_ = bit ? 1 : 0;
      prepare(own.next[last_bit_]);
    }
    mixer_.learn(set, inputs, (bit ? 65535 : 0) - static_cast<int>(mixed));
    refinement_.learn(bit);
    update(slots, bit);
    return bit;
  }

  // average::updated of all slots at once.
  static void update(const std::array<std::uint32_t*, kContexts>& slots, bool bit) {
    using Four = Lanes::Four;
    const auto value_in = [&](std::size_t i) {
      return static_cast<std::int32_t>(average::probability(*slots[i]) >> average::kSeenBits);
    };
    const auto rate_in = [&](std::size_t i) {
      return std::int32_t{average::kRate[average::seen(*slots[i])]};
    };
    const Lanes values(Four{value_in(0), value_in(1), value_in(2), value_in(3)},
                       Four{value_in(4), value_in(5), value_in(6), 0});
    const Lanes rates(Four{rate_in(0), rate_in(1), rate_in(2), rate_in(3)},
                      Four{rate_in(4), rate_in(5), rate_in(6), 0});
    const Lanes distances = Lanes(bit ? average::kOne : 0) - values;
    const Lanes moved =
        values + ((distances >> average::kDistanceShift) * rates >> average::kStepShift);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kContexts; ++i) {
      const std::uint32_t seen = average::seen(*slots[i]);
      *slots[i] = ((static_cast<std::uint32_t>(moved[i]) << average::kSeenBits) |
                   (seen < average::kMostSeen ? seen + 1 : seen)) ^
                  average::kInverted;
    }
  }

  static std::size_t bucket_of(std::uint32_t length) {
    if (length < 32) return length / 2;
    if (length < 512) return 16 + (length - 32) / 48;
    return length < 4096 ? 26 + (length - 512) / 1024 : 30;
  }

  void remember(std::uint32_t site, std::uint32_t value) {
    const std::uint64_t step = step_of(site, value);
    short_path_.add(step);
    path_.add(step);
    long_path_.add(step);
    find_lines();
    middle_path_.add(step);
    call_.add(step);
    match_.add(site, value, step);
  }

  template <typename Coder>
  std::uint32_t symbol(Coder& coder, std::uint32_t site, std::uint32_t count, std::uint32_t given) {
    Symbols::Paths paths{middle_path_.value(), short_path_.value(), {}};
    if (match_.is_at(site)) paths.matched = match_.expected();
    const std::uint32_t value =
        symbols_.choice(site, count, given, paths, [&](std::uint32_t key, bool bit) {
          return outcome<Kind::part_of_symbol>(coder, site, key, false, bit);
        });
    remember(site, value);
    return value;
  }

  int scale_;
  unsigned slot_bits_;
  ZeroedTable<std::uint32_t> slots_;
  ZeroedTable<SiteHistory> sites_;
  Mixer mixer_;
  Refinement refinement_;
  LongMatch match_;
  std::array<std::uint32_t, 2 * kMatchLengths> matched_{};  // by length and expected bit
  Symbols symbols_;
  PathHash<10> short_path_;
  PathHash<5> middle_path_;
  PathHash<3> path_;
  PathHash<1> long_path_;
  CallHistory call_;
  std::uint64_t outcomes_ = 0;
  struct {
    std::uint32_t site = 0;
    std::uint64_t call = 0;
    std::array<std::size_t, kOwn> slots{};
  } prepared_;
  std::uint32_t last_site_ = 0;
  std::uint32_t last_bit_ = 0;
  std::array<std::size_t, kPaths> lines_{};  // any slot in each
};

}  // namespace pathspool::branch
