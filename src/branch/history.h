// What was decided last: by everyone, in this call, and at each site.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pathspool::branch {

// Spreads the bits of a number: the upper bits of the product depend on all of them. The only one,
// since a 64-bit constant takes four instructions to make.
inline constexpr std::uint64_t kSpread = 0xd6e8feb86659fd93;

// What a site adds to the hashes below.
[[nodiscard]] inline std::uint64_t step_of(std::uint32_t site) {
  return ((std::uint64_t{site} + 1) * kSpread) >> 20;
}

// A hash of the last 64 / shift decisions: each one more shifts every older one up, and at last
// out. Costs two multiplications however long it is.
template <unsigned shift>
class PathHash {
 public:
  void add(std::uint64_t step, std::uint32_t value) {
    hash_ = ((hash_ + step) * kSpread + value) << shift;
  }

  [[nodiscard]] std::uint64_t value() const { return hash_; }
  // Its bits spread: the upper ones are an index.
  [[nodiscard]] std::uint64_t spread() const { return hash_ * kSpread; }
  void set(std::uint64_t value) { hash_ = value; }

 private:
  std::uint64_t hash_ = 0;
};

// A hash for each open call; what is more than kDepth calls up is forgotten.
class CallHistory {
 public:
  void add(std::uint64_t step, std::uint32_t value) { hash_.add(step, value); }
  [[nodiscard]] std::uint64_t value() const { return hash_.value(); }
  void call() {
    saved_[depth_++ % kDepth] = hash_.value();
    hash_.set(0);
  }
  void ret() {
    std::uint64_t& last = saved_[--depth_ % kDepth];
    hash_.set(last);
    last = 0;
  }

 private:
  static constexpr std::size_t kDepth = 1024;

  PathHash<4> hash_;
  std::uint32_t depth_ = 0;
  std::array<std::uint64_t, kDepth> saved_{};
};

// What one site did: its last 32 outcomes, how long the last of them has lasted, and how long the
// other one lasted before that, which tells the end of loops that make as many rounds every time.
struct SiteHistory {
  std::uint32_t outcomes = 0;
  std::uint16_t run = 0;
  std::uint16_t run_before = 0;
  std::array<std::uint16_t, 2> next{};  // the sites that came after its two outcomes last time
  std::uint32_t trust = 0;              // how often long matches held here, see MixModel

  void add(bool bit) {
    const bool same = (outcomes & 1) == (bit ? 1U : 0U);
    run_before = same ? run_before : run;
    run = static_cast<std::uint16_t>(same ? run + (run < UINT16_MAX ? 1 : 0) : 0);
    outcomes = (outcomes << 1) | (bit ? 1U : 0U);
  }
};

}  // namespace pathspool::branch
