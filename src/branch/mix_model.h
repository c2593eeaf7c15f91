// The model of choice: predictors over several histories, mixed by learned weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "branch/average.h"
#include "branch/decision.h"
#include "branch/history.h"
#include "branch/logistic.h"
#include "branch/long_match.h"
#include "branch/mixer.h"
#include "branch/refinement.h"
#include "branch/symbols.h"
#include "branch/table.h"

namespace pathspool::branch {

// Seven contexts, each with a table of averages: the path of the last 6, of the last 21 and of the
// last 64 decisions; the last 16 of this call; the site's own and everyone's last 7 outcomes; its
// own last 32; how long its last runs were. The eighth predictor is a long match. Their odds are
// mixed by weights that depend on site and match, and the result is refined by what came of it
// before. Where a match is long and matches have held at this site, nothing else is asked.
//
// Memory is slower than all the arithmetic, so what will be needed is fetched early. A path all but
// implies the site that it leads to: the cache line of its slot depends on the path alone, and the
// site chooses the slot in the line. For the site's own contexts the next site is guessed.
class MixModel {
 public:
  explicit MixModel(const ModelOptions& options) : MixModel(scale_of(options.memory_bytes)) {}

  template <typename Coder>
  [[gnu::noinline]] bool conditional(Coder& coder, Site at, bool given) {
    const auto site = static_cast<std::uint32_t>(at);
    SiteHistory& own = sites_[site % kSites];
    const bool matches = match_.is_at(site);
    const bool is_long = matches && match_.length() >= kTrustedLength;
    const bool expected = is_long && (match_.expected() & 1) != 0;
    bool bit = false;
    if (is_long && is_trusted(own)) {
      bit = holds(coder, own, given == expected) == expected;
      decided(site, own, bit);
    } else {
      bit = outcome<Kind::conditional>(coder, site, site, matches, given);
      if (is_long) learn_trust(own, bit == expected);
    }
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

  void call(Site) { call_.call(); }
  void ret() { call_.ret(); }

  [[nodiscard]] std::size_t memory_bytes() const { return bytes_of(scale_); }

 private:
  enum class Kind : std::uint8_t { conditional, first_of_symbol, other_of_symbol };

  static constexpr std::size_t kContexts = 7;
  static constexpr std::size_t kPaths = 3;  // of the contexts, the first
  static constexpr std::size_t kOwn = kContexts - kPaths;
  static constexpr std::size_t kSites = std::size_t{1} << 14;
  static constexpr std::size_t kMixedSites = std::size_t{1} << 10;
  static constexpr std::size_t kMatchStates = 4;
  static constexpr std::size_t kMatchLengths = 32;
  static constexpr std::int32_t kFirstWeight = 20'000;
  static constexpr unsigned kLineShift = 60;  // a line has 16 slots

  using TheMixer = Mixer<kContexts + 1>;
  using Inputs = TheMixer::Inputs;
  using Slots = std::array<std::uint32_t*, kContexts>;

  // Tables grow and shrink together, by powers of two.
  static constexpr int kLeastScale = -6;
  static constexpr int kMostScale = 5;
  static constexpr unsigned slot_bits(int scale) { return static_cast<unsigned>(16 + scale); }
  static constexpr unsigned place_bits(int scale) { return static_cast<unsigned>(16 + scale); }
  static constexpr unsigned ring_bits(int scale) {
    return std::min(static_cast<unsigned>(20 + scale), LongMatch::kMostRingBits);
  }

  static std::size_t bytes_of(int scale) {
    return (kContexts << slot_bits(scale)) * sizeof(std::uint32_t) + kSites * sizeof(SiteHistory) +
           TheMixer::bytes(kMixedSites * kMatchStates) + Refinement::bytes(kMixedSites) +
           LongMatch::bytes(ring_bits(scale), place_bits(scale)) + Symbols::bytes() +
           sizeof(MixModel);
  }

  static int scale_of(std::size_t memory_bytes) {
    if (memory_bytes == 0) return 0;
    constexpr std::size_t kBeside = std::size_t{1} << 16;  // what else a Model holds
    int scale = kMostScale;
    while (scale > kLeastScale && bytes_of(scale) + kBeside > memory_bytes) --scale;
    return scale;
  }

  explicit MixModel(int scale)
      : scale_(scale),
        slot_bits_(slot_bits(scale)),
        slots_(kContexts << slot_bits(scale), average::kNew),
        sites_(kSites),
        mixer_(kMixedSites * kMatchStates, kFirstWeight),
        refinement_(kMixedSites),
        match_(ring_bits(scale), place_bits(scale)) {
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      matched_[i] = i % 2 == 0 ? 5536U << 16 : 60000U << 16;
    }
    find_lines();
    prepare(0);
  }

  // How often a long match failed at a site, of 32 bits; a new site is not trusted. Kept inverted,
  // so that zeros stand for that.
  static constexpr std::uint32_t kTrustedLength = 64;
  static constexpr std::uint32_t kTrustedFailures = 1U << 22;  // 1 in 1024

  [[nodiscard]] static bool is_trusted(const SiteHistory& own) {
    return ~own.trust < kTrustedFailures;
  }

  // Fails fast, recovers slowly.
  static void learn_trust(SiteHistory& own, bool held) {
    const std::uint32_t failures = ~own.trust;
    own.trust = held ? own.trust + (failures >> 8) : own.trust - (own.trust >> 4);
  }

  template <typename Coder>
  static bool holds(Coder& coder, SiteHistory& own, bool given) {
    const bool held = coder.bit(65535 - (~own.trust >> 16), given);
    learn_trust(own, held);
    return held;
  }

  [[nodiscard]] std::size_t slot_at(std::size_t context, std::uint64_t spread) const {
    return (context << slot_bits_) + (spread >> (64 - slot_bits_));
  }
  [[nodiscard]] std::size_t slot_of(std::size_t context, std::uint64_t value) const {
    return slot_at(context, value * kSpread);
  }

  void find_lines() {
    lines_ = {slot_at(0, short_path_.spread()), slot_at(1, path_.spread()),
              slot_at(2, long_path_.spread())};
    for (const std::size_t line : lines_) __builtin_prefetch(&slots_[line]);
  }

  // Of the contexts that are the call's and the site's own.
  [[nodiscard]] std::array<std::size_t, kOwn> own_slots(const SiteHistory& own,
                                                        std::uint64_t spread) const {
    const std::uint64_t recent = ((own.outcomes & 127) << 7) | (outcomes_ & 127);
    const std::uint64_t runs =
        (std::uint64_t{own.run} << 20) | (std::uint64_t{own.run_before} << 1) | (own.outcomes & 1);
    return {slot_of(kPaths, call_.value() ^ spread), slot_of(kPaths + 1, recent ^ spread),
            slot_of(kPaths + 2, own.outcomes ^ spread), slot_of(kPaths + 3, runs ^ spread)};
  }

  [[nodiscard]] static std::uint64_t spread_of(std::uint32_t key) {
    return (std::uint64_t{key} + 1) * kSpread;
  }

  void prepare(std::uint32_t site) {
    prepared_.site = site;
    prepared_.call = call_.value();
    prepared_.slots = own_slots(sites_[site % kSites], spread_of(site));
    for (const std::size_t slot : prepared_.slots) __builtin_prefetch(&slots_[slot]);
  }

  template <Kind kind>
  [[nodiscard]] Slots slots_of(std::uint32_t key, const SiteHistory& own) {
    const std::uint64_t spread = spread_of(key);
    std::array<std::size_t, kPaths> paths = lines_;
    if constexpr (kind != Kind::other_of_symbol) {
      for (std::size_t& slot : paths) slot ^= spread >> kLineShift;
    } else {
      paths = {slot_of(0, short_path_.value() ^ spread), slot_of(1, path_.value() ^ spread),
               slot_of(2, long_path_.value() ^ spread)};
    }
    std::array<std::size_t, kOwn> others = prepared_.slots;
    if (kind != Kind::conditional || key != prepared_.site || call_.value() != prepared_.call) {
      others = own_slots(own, spread);
    }
    return {&slots_[paths[0]],  &slots_[paths[1]],  &slots_[paths[2]], &slots_[others[0]],
            &slots_[others[1]], &slots_[others[2]], &slots_[others[3]]};
  }

  template <Kind kind, typename Coder>
  bool outcome(Coder& coder, std::uint32_t site, std::uint32_t key, bool matches, bool given) {
    SiteHistory& own = sites_[key % kSites];
    const Slots slots = slots_of<kind>(key, own);
    std::size_t match_context = 0;
    std::size_t match_state = 0;
    int match_odds = 0;
    if (kind == Kind::conditional && matches) {
      const std::uint32_t length = match_.length();
      match_context = 2 * bucket_of(length) + (match_.expected() & 1);
      match_odds = stretch(matched_[match_context]);
      match_state = length < 32 ? 1 : length < 400 ? 2 : 3;
    }
    const auto odds_in = [&](std::size_t i) { return stretch(*slots[i]); };
    const Inputs inputs({odds_in(0), odds_in(1), odds_in(2), odds_in(3)},
                        {odds_in(4), odds_in(5), odds_in(6), match_odds});
    const std::size_t set = (key % kMixedSites) * kMatchStates + match_state;
    const int odds = mixer_.odds(set, inputs);
    const std::uint32_t mixed = squash(odds);
    const std::uint32_t refined = refinement_.refined(key % kMixedSites, odds);
    const bool bit = coder.bit((mixed + refined + 1) / 2, given);

    if constexpr (kind == Kind::conditional) {
      decided(site, own, bit);
      if (matches) {
        std::uint32_t& average = matched_[match_context];
        const std::uint32_t mask = 0U - (bit ? 1 : 0);
        average += ((~average >> 6) & mask) - ((average >> 6) & ~mask);
      }
    } else {
      own.add(bit);
    }
    mixer_.learn(set, inputs, error_of(bit, mixed));
    refinement_.learn(bit);
    update(slots, bit);
    return bit;
  }

  // Before anything is updated: what the next conditional needs is on its way meanwhile.
  void decided(std::uint32_t site, SiteHistory& own, bool bit) {
    remember(site, bit ? 1 : 0);
    outcomes_ = (outcomes_ << 1) | (bit ? 1 : 0);
    own.add(bit);
    sites_[last_site_ % kSites].next[last_bit_] = static_cast<std::uint16_t>(site);
    last_site_ = site;
    last_bit_ = bit ? 1 : 0;
    prepare(own.next[last_bit_]);
  }

  // Adds average::step to all slots at once.
  static void update(const Slots& slots, bool bit) {
    const auto value_in = [&](std::size_t i) {
      return static_cast<std::int32_t>(*slots[i] >> average::kSeenBits);
    };
    const auto rate_in = [&](std::size_t i) {
      return std::int32_t{average::kRate[average::seen(*slots[i])]};
    };
    const Inputs values({value_in(0), value_in(1), value_in(2), value_in(3)},
                        {value_in(4), value_in(5), value_in(6), 0});
    const Inputs rates({rate_in(0), rate_in(1), rate_in(2), rate_in(3)},
                       {rate_in(4), rate_in(5), rate_in(6), 0});
    const Inputs distances = Inputs(average::kOne & -static_cast<std::int32_t>(bit)) - values;
    const Inputs moved = (distances >> average::kDistanceShift) * rates >> average::kStepShift;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kContexts; ++i) {
      *slots[i] += (static_cast<std::uint32_t>(moved[i]) << average::kSeenBits) +
                   (average::seen(*slots[i]) < average::kMostSeen ? 1 : 0);
    }
  }

  static std::size_t bucket_of(std::uint32_t length) {
    if (length < 32) return length / 2;
    if (length < 512) return 16 + (length - 32) / 48;
    return length < 4096 ? 26 + (length - 512) / 1024 : 30;
  }

  void remember(std::uint32_t site, std::uint32_t value) {
    const std::uint64_t step = step_of(site);
    short_path_.add(step, value);
    path_.add(step, value);
    long_path_.add(step, value);
    find_lines();
    middle_path_.add(step, value);
    call_.add(step, value);
    match_.add(site, value, step);
  }

  template <typename Coder>
  [[gnu::noinline]] std::uint32_t symbol(Coder& coder, std::uint32_t site, std::uint32_t count,
                                         std::uint32_t given) {
    Symbols::Paths paths{middle_path_.value(), short_path_.value(), {}};
    SiteHistory& own = sites_[site % kSites];
    const bool matches = match_.is_at(site) && match_.expected() < count;
    const bool is_long = matches && match_.length() >= kTrustedLength;
    const std::uint32_t expected = matches ? match_.expected() : 0;
    if (matches) paths.matched = expected;

    std::uint32_t value = expected;
    if (!is_long || !is_trusted(own) || !holds(coder, own, given == expected)) {
      value = symbols_.choice(
          site, count, given, paths,
          [&](std::uint32_t key, bool bit) {
            return outcome<Kind::first_of_symbol>(coder, site, key, false, bit);
          },
          [&](std::uint32_t key, bool bit) {
            return outcome<Kind::other_of_symbol>(coder, site, key, false, bit);
          });
      if (is_long) learn_trust(own, value == expected);
    }
    remember(site, value);
    return value;
  }

  int scale_;
  unsigned slot_bits_;
  Table<std::uint32_t> slots_;
  Table<SiteHistory> sites_;
  TheMixer mixer_;
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
  std::array<std::size_t, kPaths> lines_{};  // a slot in each
  struct {
    std::uint32_t site = 0;
    std::uint64_t call = 0;
    std::array<std::size_t, kOwn> slots{};
  } prepared_;
  std::uint32_t last_site_ = 0;
  std::uint32_t last_bit_ = 0;
};

}  // namespace pathspool::branch
