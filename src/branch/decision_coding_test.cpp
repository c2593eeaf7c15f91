#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "base/checksum.h"
#include "branch/decision_decoder.h"
#include "branch/decision_encoder.h"

namespace pathspool::branch {
namespace {

enum class Kind : std::uint8_t { conditional, choice, target, call, ret, flag, number };

struct Step {
  Kind kind{};
  std::uint32_t site = 0;
  std::uint32_t count = 0;  // of a choice
  std::uint64_t value = 0;
};

// Something like a program: sites that follow patterns, some noise, some of everything else.
std::vector<Step> random_steps(std::uint64_t seed, std::size_t count, std::uint32_t sites) {
  std::mt19937_64 random(seed);
  std::vector<Step> steps;
  std::uint64_t depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto site = static_cast<std::uint32_t>((i / 3 + random() % 2) % sites);
    const std::uint64_t noise = random() % 16 == 0 ? random() : 0;
    switch (random() % 64) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const auto n = static_cast<std::uint32_t>(2 + site % 300);
        steps.push_back({Kind::choice, site, n, (i / 7 + noise) % n});
        break;
      }
      case 4:
      case 5:
      case 6:
        steps.push_back({Kind::target, site, 0, (i / 50 + noise % 70) & 0xffffffff});
        break;
      case 7:
        steps.push_back({Kind::call, site, 0, 0});
        ++depth;
        break;
      case 8:
        if (depth == 0) break;
        --depth;
        steps.push_back({Kind::ret, 0, 0, 0});
        break;
      case 9:
        steps.push_back({Kind::flag, 0, 0, random() % 1000 == 0 ? 1U : 0U});
        break;
      case 10:
        steps.push_back({Kind::number, 0, 0, random() >> (random() % 64)});
        break;
      default:
        steps.push_back({Kind::conditional, site, 0, (i / (1 + site % 9) + noise) & 1});
    }
  }
  return steps;
}

void encode(DecisionEncoder& encoder, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    const Site site{step.site};
    switch (step.kind) {
      case Kind::conditional:
        encoder.conditional(site, step.value != 0);
        break;
      case Kind::choice:
        encoder.choice(site, step.count, static_cast<std::uint32_t>(step.value));
        break;
      case Kind::target:
        encoder.target(site, Target{static_cast<std::uint32_t>(step.value)});
        break;
      case Kind::call:
        encoder.call(site);
        break;
      case Kind::ret:
        encoder.ret();
        break;
      case Kind::flag:
        encoder.flag(3, step.value != 0);
        break;
      case Kind::number:
        encoder.number(2, step.value);
        break;
    }
  }
}

std::uint64_t decode(DecisionDecoder& decoder, const Step& step) {
  const Site site{step.site};
  switch (step.kind) {
    case Kind::conditional:
      return decoder.conditional(site) ? 1 : 0;
    case Kind::choice:
      return decoder.choice(site, step.count);
    case Kind::target:
      return static_cast<std::uint32_t>(decoder.target(site));
    case Kind::call:
      decoder.call(site);
      return 0;
    case Kind::ret:
      decoder.ret();
      return 0;
    case Kind::flag:
      return decoder.flag(3) ? 1 : 0;
    case Kind::number:
      break;
  }
  return decoder.number(2);
}

std::size_t differences(DecisionDecoder& decoder, const std::vector<Step>& steps) {
  std::size_t different = 0;
  for (const Step& step : steps) different += decode(decoder, step) == step.value ? 0 : 1;
  return different;
}

base::Bytes encoded(const ModelOptions& options, const std::vector<Step>& steps) {
  DecisionEncoder encoder(options);
  encode(encoder, steps);
  return encoder.finish();
}

ModelOptions options_of(ModelKind kind) {
  ModelOptions options;
  options.kind = kind;
  return options;
}

class EveryModel : public testing::TestWithParam<ModelOptions> {};

std::vector<ModelOptions> every_model() {
  std::vector<ModelOptions> all;
  for (const unsigned local : {0U, 7U, 16U}) {
    for (const unsigned global : {0U, 4U}) {
      ModelOptions options = options_of(ModelKind::app);
      options.branch_bits = 6;
      options.local_bits = local;
      options.global_bits = global;
      options.intraprocedural = local == 7;
      all.push_back(options);
    }
  }
  for (const ModelKind kind : {ModelKind::fast, ModelKind::mix}) {
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1}, std::size_t{3} << 20}) {
      ModelOptions options = options_of(kind);
      options.memory_bytes = memory;
      all.push_back(options);
    }
  }
  return all;
}

TEST_P(EveryModel, decisions_come_back) {
  for (const std::uint32_t sites : {1U, 40U, 70'000U}) {
    const std::vector<Step> steps = random_steps(sites, 40'000, sites);
    const base::Bytes bytes = encoded(GetParam(), steps);
    DecisionDecoder decoder(GetParam(), bytes);
    EXPECT_EQ(differences(decoder, steps), 0U);
    EXPECT_FALSE(decoder.failed());
  }
}

TEST_P(EveryModel, segments_that_go_on_come_back_in_order) {
  const std::vector<Step> first = random_steps(1, 10'000, 50);
  const std::vector<Step> second = random_steps(2, 10'000, 50);
  DecisionEncoder encoder(GetParam());
  encode(encoder, first);
  const base::Bytes first_bytes = encoder.finish();
  const Model between = encoder.model();
  encode(encoder, second);
  const base::Bytes second_bytes = encoder.finish();

  DecisionDecoder decoder(GetParam(), first_bytes);
  EXPECT_EQ(differences(decoder, first), 0U);
  decoder.next_segment(second_bytes);
  EXPECT_EQ(differences(decoder, second), 0U);
  EXPECT_FALSE(decoder.failed());

  // A copy of the model will do for the second alone, and its learning leaves the copy as it was.
  for (int i = 0; i < 2; ++i) {
    DecisionDecoder alone(between, second_bytes);
    EXPECT_EQ(differences(alone, second), 0U);
  }
}

TEST_P(EveryModel, a_reset_model_has_learned_nothing) {
  const std::vector<Step> steps = random_steps(3, 10'000, 50);
  DecisionEncoder encoder(GetParam());
  encode(encoder, random_steps(4, 5'000, 50));
  (void)encoder.finish();
  encoder.reset();
  encode(encoder, steps);
  EXPECT_EQ(encoder.finish(), encoded(GetParam(), steps));
}

TEST_P(EveryModel, damaged_bytes_give_decisions_in_range) {
  const std::vector<Step> steps = random_steps(5, 3'000, 30);
  const base::Bytes bytes = encoded(GetParam(), steps);
  std::mt19937_64 random(6);
  for (int i = 0; i < 12; ++i) {
    base::Bytes damaged = bytes;
    if (i % 3 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      for (int flips = 0; flips < i; ++flips) {
        damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
      }
    }
    if (i == 11) damaged.assign(100'000, 0xff);
    DecisionDecoder decoder(GetParam(), damaged);
    for (int round = 0; round < 3; ++round) {
      for (const Step& step : steps) {
        const std::uint64_t value = decode(decoder, step);
        if (step.kind == Kind::choice) {
          ASSERT_LT(value, step.count);
        }
      }
    }
  }
}

TEST_P(EveryModel, bytes_that_end_early_are_noticed) {
  const std::vector<Step> steps = random_steps(8, 20'000, 30);
  base::Bytes bytes = encoded(GetParam(), steps);
  bytes.resize(bytes.size() / 2);
  DecisionDecoder decoder(GetParam(), bytes);
  for (const Step& step : steps) (void)decode(decoder, step);
  EXPECT_TRUE(decoder.failed());
}

TEST_P(EveryModel, memory_is_reported) {
  ModelOptions options = GetParam();
  const std::size_t reported = Model(options).memory_bytes();
  EXPECT_GE(reported, std::size_t{1} << 12);
  if (options.memory_bytes >= std::size_t{3} << 20) {
    EXPECT_LE(reported, options.memory_bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(BranchModels, EveryModel, testing::ValuesIn(every_model()));

RC_GTEST_PROP(BranchModel, any_decisions_come_back, ()) {
  ModelOptions options;
  options.kind = *rc::gen::element(ModelKind::app, ModelKind::fast, ModelKind::mix);
  options.branch_bits = *rc::gen::inRange(0U, 8U);
  options.local_bits = *rc::gen::inRange(0U, 6U);
  options.global_bits = *rc::gen::inRange(0U, 6U);
  options.intraprocedural = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto sites = *rc::gen::inRange(1U, 1000U);
  const auto steps = random_steps(seed, *rc::gen::inRange(0U, 3000U), sites);
  const base::Bytes bytes = encoded(options, steps);
  DecisionDecoder decoder(options, bytes);
  RC_ASSERT(differences(decoder, steps) == 0U);
  RC_ASSERT(!decoder.failed());
}

TEST(BranchModel, a_choice_of_one_costs_nothing) {
  for (const ModelKind kind : {ModelKind::app, ModelKind::fast, ModelKind::mix}) {
    DecisionEncoder encoder(options_of(kind));
    for (int i = 0; i < 100'000; ++i) encoder.choice(Site{1}, 1, 0);
    EXPECT_LE(encoder.finish().size(), 1U);
  }
}

TEST(BranchModel, a_flag_that_is_never_set_costs_nearly_nothing) {
  DecisionEncoder encoder(options_of(ModelKind::app));
  for (int i = 0; i < 10'000'000; ++i) encoder.flag(0, false);
  EXPECT_LT(encoder.finish().size(), 10'000'000 * 0.000025 / 8 + 8);
}

TEST(BranchModel, options_out_of_range_are_not_valid) {
  EXPECT_TRUE(are_valid(ModelOptions{}));
  ModelOptions options;
  options.kind = ModelKind{0};
  EXPECT_FALSE(are_valid(options));
  options.kind = ModelKind{4};
  EXPECT_FALSE(are_valid(options));
  options = ModelOptions{};
  options.local_bits = 17;
  EXPECT_FALSE(are_valid(options));
  options = ModelOptions{};
  options.branch_bits = 10;
  options.local_bits = 10;
  options.global_bits = 10;
  EXPECT_FALSE(are_valid(options));
  options = ModelOptions{};
  options.global_bits = UINT32_MAX;
  EXPECT_FALSE(are_valid(options));
}

// Files hold what these made: a change of a model is a change of the format.
TEST(BranchModel, the_same_decisions_give_the_same_bytes_on_every_machine) {
  struct Golden {
    ModelKind kind;
    std::size_t size;
    std::uint64_t sum;
  };
  const std::vector<Step> steps = random_steps(9, 300'000, 60);
  for (const auto& [kind, size, sum] : {Golden{ModelKind::app, 95666, 1042530523962850964U},
                                        Golden{ModelKind::fast, 96776, 14095876993694681329U},
                                        Golden{ModelKind::mix, 91487, 14440219927929507087U}}) {
    const base::Bytes bytes = encoded(options_of(kind), steps);
    EXPECT_EQ(bytes.size(), size) << static_cast<int>(kind);
    EXPECT_EQ(base::checksum(bytes), sum) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace pathspool::branch
