// A model that is quick: three histories, mixed by learned weights.
#pragma once

#include <cstddef>
#include <cstdint>

#include "branch/average.h"
#include "branch/decision.h"
#include "branch/history.h"
#include "branch/logistic.h"
#include "branch/mixer.h"
#include "branch/symbols.h"
#include "branch/table.h"

namespace pathspool::branch {

// The contexts: the site's own and everyone's last 7 outcomes, as in `app`; the path of the last 6
// and of the last 21 decisions. See MixModel for the cache lines.
class FastModel {
 public:
  explicit FastModel(const ModelOptions& options) : FastModel(bits_of(options.memory_bytes)) {}

  template <typename Coder>
  [[gnu::noinline]] bool conditional(Coder& coder, Site at, bool given) {
    const auto site = static_cast<std::uint32_t>(at);
    const bool bit = implied(coder, site, given);
    outcomes_ = (outcomes_ << 1) | static_cast<std::uint64_t>(bit);
    remember(site, static_cast<std::uint32_t>(bit));
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

  [[nodiscard]] std::size_t memory_bytes() const { return bytes_of(64 - slot_shift_); }

 private:
  static constexpr std::size_t kContexts = 3;
  static constexpr std::size_t kSites = std::size_t{1} << 14;
  static constexpr std::size_t kMixedSites = std::size_t{1} << 11;
  static constexpr unsigned kLineShift = 60;  // a line has 16 slots
  static constexpr std::int32_t kFirstWeight = 28'000;
  static constexpr unsigned kLeastBits = 10;
  static constexpr unsigned kUsualBits = 16;
  static constexpr unsigned kMostBits = 22;

  static std::size_t bytes_of(unsigned bits) {
    return (kContexts << bits) * sizeof(std::uint32_t) + kSites * sizeof(std::uint16_t) +
           Mixer<kContexts>::bytes(kMixedSites) + Symbols::bytes() + sizeof(FastModel);
  }

  static unsigned bits_of(std::size_t memory_bytes) {
    if (memory_bytes == 0) return kUsualBits;
    constexpr std::size_t kBeside = std::size_t{1} << 16;  // what else a Model holds
    unsigned bits = kMostBits;
    while (bits > kLeastBits && bytes_of(bits) + kBeside > memory_bytes) --bits;
    return bits;
  }

  explicit FastModel(unsigned bits)
      : slot_shift_(64 - bits),
        in_short_path_(std::size_t{1} << bits, average::kNew),
        in_path_(std::size_t{1} << bits, average::kNew),
        in_outcomes_(std::size_t{1} << bits, average::kNew),
        locals_(kSites),
        mixer_(kMixedSites, kFirstWeight) {
    find_lines();
  }

  [[nodiscard]] std::size_t slot_of(std::uint64_t value) const {
    return (value * kSpread) >> slot_shift_;
  }

  void find_lines() {
    short_line_ = short_path_.spread() >> slot_shift_;
    line_ = path_.spread() >> slot_shift_;
    __builtin_prefetch(&in_short_path_[short_line_]);
    __builtin_prefetch(&in_path_[line_]);
  }

  void remember(std::uint32_t site, std::uint32_t value) {
    const std::uint64_t step = step_of(site);
    short_path_.add(step, value);
    path_.add(step, value);
    find_lines();
  }

  template <typename Coder>
  [[gnu::always_inline]] bool outcome(Coder& coder, std::uint32_t key, std::uint64_t spread,
                                      std::size_t short_slot, std::size_t slot, bool given) {
    std::uint16_t& local = locals_[key % kSites];
    const std::uint64_t both = ((local & 127U) << 7) | (outcomes_ & 127);
    std::uint32_t& a = in_short_path_[short_slot];
    std::uint32_t& b = in_path_[slot];
    std::uint32_t& c = in_outcomes_[slot_of(both ^ spread)];
    const Mixer<kContexts>::Inputs inputs(stretch(a), stretch(b), stretch(c), 0);
    const std::size_t set = key % kMixedSites;
    const std::uint32_t probability = squash(mixer_.odds(set, inputs));
    const bool bit = coder.bit(probability, given);
    mixer_.learn(set, inputs, error_of(bit, probability));
    a += average::step(a, bit);
    b += average::step(b, bit);
    c += average::step(c, bit);
    local = static_cast<std::uint16_t>((local << 1) | static_cast<int>(bit));
    return bit;
  }

  // What the path implies: its lines have been fetched.
  template <typename Coder>
  [[gnu::always_inline]] bool implied(Coder& coder, std::uint32_t key, bool given) {
    const std::uint64_t spread = (std::uint64_t{key} + 1) * kSpread;
    const std::uint64_t in_line = spread >> kLineShift;
    return outcome(coder, key, spread, short_line_ ^ in_line, line_ ^ in_line, given);
  }

  template <typename Coder>
  std::uint32_t symbol(Coder& coder, std::uint32_t site, std::uint32_t count, std::uint32_t given) {
    const Symbols::Paths paths{path_.value(), short_path_.value(), {}};
    const auto first = [&](std::uint32_t key, bool bit) { return implied(coder, key, bit); };
    const auto other = [&](std::uint32_t key, bool bit) {
      const std::uint64_t spread = (std::uint64_t{key} + 1) * kSpread;
      return outcome(coder, key, spread, slot_of(short_path_.value() ^ spread),
                     slot_of(path_.value() ^ spread), bit);
    };
    const std::uint32_t value = symbols_.choice(site, count, given, paths, first, other);
    remember(site, value);
    return value;
  }

  unsigned slot_shift_;
  Table<std::uint32_t> in_short_path_;
  Table<std::uint32_t> in_path_;
  Table<std::uint32_t> in_outcomes_;
  Table<std::uint16_t> locals_;
  Mixer<kContexts> mixer_;
  Symbols symbols_;
  PathHash<10> short_path_;
  PathHash<3> path_;
  std::uint64_t outcomes_ = 0;
  std::size_t short_line_ = 0;  // a slot in it
  std::size_t line_ = 0;
};

}  // namespace pathspool::branch
