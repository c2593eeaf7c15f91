// The model of "Arithmetic Program Paths" (Renieris, Ramaprasad, Reiss, 2005), sections 5.2
// and 6.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "branch/decision.h"
#include "branch/table.h"
#include "branch/target_table.h"

namespace pathspool::branch {

// A pair of counters for every (low bits of the conditional's number, its last l outcomes, the last
// g outcomes of all), both from 1; histories start as ones. A switch is a cascade of conditionals,
// one for each case in order, and its default is what remains. An indirect target is no outcome: it
// leaves the histories as they are.
class AppModel {
 public:
  explicit AppModel(const ModelOptions& options)
      : options_(options),
        pairs_(std::size_t{1} << (options.branch_bits + options.local_bits + options.global_bits)),
        locals_(kLocalHistories) {}

  template <typename Coder>
  [[gnu::noinline]] bool conditional(Coder& coder, Site site, bool given) {
    return outcome(coder, static_cast<std::uint32_t>(site), given);
  }

  template <typename Coder>
  std::uint32_t choice(Coder& coder, Site site, std::uint32_t count, std::uint32_t given) {
    const auto first = static_cast<std::uint32_t>(site);
    for (std::uint32_t index = 1; index < count; ++index) {
      if (outcome(coder, first + index - 1, index == given)) return index;
    }
    return 0;
  }

  template <typename Coder>
  Target target(Coder& coder, Site site, Target given) {
    return targets_.code(coder, site, given);
  }

  void call(Site) {
    if (!options_.intraprocedural) return;
    if (saved_.size() < kDeepest) {
      saved_.push_back(global_);
    } else {
      ++beyond_deepest_;
    }
    global_ = kSeed;
  }

  void ret() {
    if (!options_.intraprocedural) return;
    global_ = kSeed;
    if (beyond_deepest_ > 0) {
      --beyond_deepest_;
    } else if (!saved_.empty()) {
      global_ = saved_.back();
      saved_.pop_back();
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return sizeof *this + pairs_.bytes() + locals_.bytes() + TargetTable::memory_bytes();
  }

 private:
  static constexpr std::size_t kLocalHistories = std::size_t{1} << 16;  // a power of two
  static constexpr std::size_t kDeepest = std::size_t{1} << 20;
  static constexpr std::uint32_t kSeed = ~0U;
  static constexpr std::uint32_t kMostCount = 65535;

  // Kept one too small, so that a table of zeros is one of ones.
  struct Pair {
    std::uint16_t zeros;
    std::uint16_t ones;
  };

  template <typename Coder>
  bool outcome(Coder& coder, std::uint32_t site, bool given) {
    // Kept inverted, so that zeros are a history of ones.
    std::uint16_t& local = locals_[site % kLocalHistories];
    const std::uint32_t local_mask = (1U << options_.local_bits) - 1;
    const std::uint32_t global_mask = (1U << options_.global_bits) - 1;
    const std::uint32_t branch_mask = (1U << options_.branch_bits) - 1;
    std::size_t context = site & branch_mask;
    context = (context << options_.local_bits) | (~std::uint32_t{local} & local_mask);
    context = (context << options_.global_bits) | (global_ & global_mask);
    Pair& pair = pairs_[context];
    const bool bit = coder.bit(probability_of_one(pair), given);
    count(pair, bit);
    local = static_cast<std::uint16_t>((local << 1) | (bit ? 0 : 1));
    global_ = (global_ << 1) | (bit ? 1 : 0);
    return bit;
  }

  // Rounded to what the coder takes: from 1 to 65535, since a counter is at most kMostCount - 1.
  [[nodiscard]] static std::uint32_t probability_of_one(const Pair& pair) {
    const std::uint32_t ones = pair.ones + 1U;
    const std::uint32_t total = pair.zeros + 1U + ones;
    return ((ones << 16) + total / 2) / total;
  }

  static void count(Pair& pair, bool bit) {
    std::uint16_t& counter = bit ? pair.ones : pair.zeros;
    ++counter;
    if (counter + 1U < kMostCount) return;
    pair.zeros = static_cast<std::uint16_t>((pair.zeros + 2U) / 2 - 1);
    pair.ones = static_cast<std::uint16_t>((pair.ones + 2U) / 2 - 1);
  }

  ModelOptions options_;
  Table<Pair> pairs_;
  Table<std::uint16_t> locals_;
  std::uint32_t global_ = kSeed;
  std::vector<std::uint32_t> saved_;
  std::size_t beyond_deepest_ = 0;
  TargetTable targets_;
};

}  // namespace pathspool::branch
