// `app` against the paper, written down as simply as possible.
#include "branch/app_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "branch/decision_encoder.h"

namespace pathspool::branch {
namespace {

using History = std::deque<bool>;

// What the paper says a sequence costs, in bits.
class Reference {
 public:
  explicit Reference(const ModelOptions& options) : options_(options), global_(seed()) {}

  void conditional(std::uint32_t site, bool bit) {
    History& local = locals_.try_emplace(site, seed()).first->second;
    const auto key =
        std::tuple{site % (1U << options_.branch_bits), last(local, options_.local_bits),
                   last(global_, options_.global_bits)};
    auto& [zeros, ones] = counters_.try_emplace(key, 1, 1).first->second;
    const double total = zeros + ones;
    bits_ -= std::log2((bit ? ones : zeros) / total);
    if (++(bit ? ones : zeros) == 65535) {
      zeros = (zeros + 1) / 2;
      ones = (ones + 1) / 2;
    }
    local.push_back(bit);
    local.pop_front();
    global_.push_back(bit);
    global_.pop_front();
  }

  void choice(std::uint32_t site, std::uint32_t count, std::uint32_t index) {
    for (std::uint32_t one = 1; one < count; ++one) {
      conditional(site + one - 1, one == index);
      if (one == index) return;
    }
  }

  void call() {
    if (!options_.intraprocedural) return;
    saved_.push_back(global_);
    global_ = seed();
  }
  void ret() {
    if (!options_.intraprocedural) return;
    global_ = saved_.back();
    saved_.pop_back();
  }

  [[nodiscard]] double bits() const { return bits_; }

 private:
  static History seed() { return History(16, true); }
  static std::vector<bool> last(const History& history, unsigned count) {
    return {history.end() - count, history.end()};
  }

  ModelOptions options_;
  std::map<std::tuple<std::uint32_t, std::vector<bool>, std::vector<bool>>,
           std::pair<std::uint32_t, std::uint32_t>>
      counters_;
  std::map<std::uint32_t, History> locals_;
  History global_;
  std::vector<History> saved_;
  double bits_ = 0;
};

void compare(const ModelOptions& options, std::size_t count, std::uint32_t sites) {
  Reference reference(options);
  DecisionEncoder encoder(options);
  std::mt19937_64 random(11);
  std::uint32_t depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto site = static_cast<std::uint32_t>(i % sites * 3);
    const std::uint64_t dice = random() % 100;
    if (dice < 2) {
      reference.call();
      encoder.call(Site{site});
      ++depth;
    } else if (dice < 4 && depth > 0) {
      reference.ret();
      encoder.ret();
      --depth;
    } else if (dice < 10) {
      const auto index = static_cast<std::uint32_t>(random() % 4 * (i / sites % 2));
      reference.choice(site, 4, index);
      encoder.choice(Site{site}, 4, index);
    } else {
      const bool bit = dice < 15 ? random() % 2 == 0 : i / sites % (2 + site % 5) != 0;
      reference.conditional(site, bit);
      encoder.conditional(Site{site}, bit);
    }
  }
  EXPECT_NEAR(8.0 * static_cast<double>(encoder.finish().size()), reference.bits(),
              0.001 * reference.bits() + 16);
}

TEST(AppModel, costs_what_the_paper_says) {
  for (const unsigned local : {0U, 2U, 7U}) {
    for (const unsigned global : {0U, 3U, 7U}) {
      for (const bool intraprocedural : {false, true}) {
        ModelOptions options;
        options.kind = ModelKind::app;
        options.local_bits = local;
        options.global_bits = global;
        options.intraprocedural = intraprocedural;
        compare(options, 20'000, 60);
      }
    }
  }
}

TEST(AppModel, sites_share_counters_by_their_low_bits) {
  ModelOptions options;
  options.kind = ModelKind::app;
  options.branch_bits = 4;
  compare(options, 20'000, 100);
}

TEST(AppModel, counters_are_halved_before_they_overflow) {
  ModelOptions options;
  options.kind = ModelKind::app;
  options.branch_bits = 1;
  options.local_bits = 0;
  options.global_bits = 0;
  compare(options, 400'000, 3);
}

TEST(AppModel, targets_cost_their_entropy_of_order_zero) {
  ModelOptions options;
  options.kind = ModelKind::app;
  DecisionEncoder encoder(options);
  std::mt19937_64 random(12);
  constexpr std::size_t kCount = 200'000;
  for (std::size_t i = 0; i < kCount; ++i) {
    // 1/2, 1/4, 1/8, 1/8: 1.75 bits.
    const std::uint64_t dice = random() % 8;
    const std::uint32_t target = dice < 4 ? 1'000'000 : dice < 6 ? 5 : dice < 7 ? 70'000 : 0;
    encoder.target(Site{9}, Target{target});
  }
  EXPECT_NEAR(8.0 * static_cast<double>(encoder.finish().size()), 1.75 * kCount, 0.004 * kCount);
}

TEST(AppModel, takes_four_bytes_a_context) {
  ModelOptions options;
  options.kind = ModelKind::app;
  const std::size_t bytes = Model(options).memory_bytes();
  EXPECT_GE(bytes, std::size_t{4} << 24);
  EXPECT_LE(bytes, (std::size_t{4} << 24) + (std::size_t{6} << 20));
}

}  // namespace
}  // namespace pathspool::branch
