// Indirect targets by how often each was taken at its site: an adaptive table of order 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/adaptive_number.h"
#include "branch/decision.h"

namespace pathspool::branch {

// "Is it this one?" for one entry after the other, each bit under the entry's share of what
// remains: together they cost what the target's share of the total costs. What remains last is one
// share for a new target, whose number follows. Counts are halved as in the rest of `app`. When
// kMostEntries are known, no further one is learned: memory is bounded.
class TargetTable {
 public:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 16;

  template <typename Coder>
  Target code(Coder& coder, Site at, Target given) {
    if (entries_ == kMostEntries && !sites_.contains(at)) return code_new(coder, given);
    SiteTable& site = sites_[at];
    std::uint64_t remaining = site.total + 1;
    for (std::size_t index = 0; index < site.entries.size(); ++index) {
      const Entry entry = site.entries[index];
      const std::uint64_t share = ((std::uint64_t{entry.count} << 16) + remaining / 2) / remaining;
      const auto probability =
          static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, 1, 65535));
      if (coder.bit(probability, entry.target == given)) {
        count(site, index);
        return entry.target;
      }
      remaining -= entry.count;
    }
    const Target target = code_new(coder, given);
    learn(site, target);
    return target;
  }

  [[nodiscard]] static constexpr std::size_t memory_bytes() { return kMostEntries * 64; }

 private:
  static constexpr std::uint32_t kMostCount = 65535;

  struct Entry {
    Target target{};
    std::uint32_t count = 0;
  };
  struct SiteTable {
    std::vector<Entry> entries;  // those that come often first, roughly
    std::uint64_t total = 0;
  };

  template <typename Coder>
  Target code_new(Coder& coder, Target given) {
    return Target{
        static_cast<std::uint32_t>(coder.number(new_targets_, static_cast<std::uint32_t>(given)))};
  }

  void learn(SiteTable& site, Target target) {
    // Damaged input may call something new that is not.
    const auto known = [&](const Entry& entry) { return entry.target == target; };
    if (entries_ == kMostEntries || std::ranges::any_of(site.entries, known)) return;
    ++entries_;
    site.entries.push_back({target, 1});
    ++site.total;
  }

  static void count(SiteTable& site, std::size_t index) {
    ++site.total;
    if (++site.entries[index].count >= kMostCount) {
      site.total = 0;
      for (Entry& entry : site.entries) site.total += (entry.count = (entry.count + 1) / 2);
    }
    if (index > 0 && site.entries[index].count > site.entries[index - 1].count) {
      std::swap(site.entries[index], site.entries[index - 1]);
    }
  }

  std::unordered_map<Site, SiteTable> sites_;
  std::size_t entries_ = 0;
  base::AdaptiveNumber new_targets_;
};

}  // namespace pathspool::branch
