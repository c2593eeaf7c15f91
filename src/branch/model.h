// A model of decisions of any kind. Encoder and decoder each have one and keep it in step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/adaptive_number.h"
#include "base/check.h"
#include "branch/app_model.h"
#include "branch/decision.h"
#include "branch/fast_model.h"
#include "branch/mix_model.h"

namespace pathspool::branch {

// Every decision is coded by one function for both directions, given a coder: one that encodes
// (`Coder::kEncodes`) stores what is given and returns it, one that decodes ignores what is given
// and returns what was stored. So the two cannot drift apart.
//
// A copy is a model that has learned the same: a segment can start from it.
class Model {
  // The kind never changes, so this branch is always predicted.
  template <typename Work>
  decltype(auto) with(const Work& work) {
    if (mix_) return work(*mix_);
    if (fast_) return work(*fast_);
    return work(*app_);
  }

 public:
  // The options must be valid.
  explicit Model(const ModelOptions& options) : options_(options) {
    PATHSPOOL_CHECK(are_valid(options));
    reset();
  }
  ~Model() = default;
  Model(Model&&) noexcept = default;
  Model& operator=(Model&&) noexcept = default;
  Model(const Model& other)
      : options_(other.options_),
        app_(copy_of(other.app_)),
        fast_(copy_of(other.fast_)),
        mix_(copy_of(other.mix_)),
        beside_(other.beside_) {}
  Model& operator=(const Model& other) {
    Model copy(other);
    return *this = std::move(copy);
  }

  // As if nothing had been coded.
  void reset() {
    switch (options_.kind) {
      case ModelKind::app:
        app_ = std::make_unique<AppModel>(options_);
        break;
      case ModelKind::fast:
        fast_ = std::make_unique<FastModel>(options_);
        break;
      case ModelKind::mix:
        mix_ = std::make_unique<MixModel>(options_);
        break;
    }
    beside_ = Beside();
  }

  [[nodiscard]] const ModelOptions& options() const { return options_; }
  // What the model takes at most, whatever it is fed.
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = sizeof *this;
    if (app_) bytes += app_->memory_bytes();
    if (fast_) bytes += fast_->memory_bytes();
    if (mix_) bytes += mix_->memory_bytes();
    return bytes;
  }

  template <typename Coder>
  bool conditional(Coder& coder, Site site, bool given) {
    return with([&](auto& model) { return model.conditional(coder, site, given); });
  }
  template <typename Coder>
  std::uint32_t choice(Coder& coder, Site site, std::uint32_t count, std::uint32_t given) {
    if (count < 2) return 0;
    return with([&](auto& model) { return model.choice(coder, site, count, given); });
  }
  template <typename Coder>
  Target target(Coder& coder, Site site, Target given) {
    return with([&](auto& model) { return model.target(coder, site, given); });
  }
  template <typename Coder>
  bool flag(Coder& coder, unsigned kind, bool given) {
    return beside_.flags[kind].code(coder, given);
  }
  template <typename Coder>
  std::uint64_t number(Coder& coder, unsigned kind, std::uint64_t given) {
    return coder.number(beside_.numbers[kind], given);
  }
  void call(Site from) {
    with([&](auto& model) { model.call(from); });
  }
  void ret() {
    with([&](auto& model) { model.ret(); });
  }

 private:
  // A flag that may be as rare as the coder can say: 1 in 65536.
  class Flag {
   public:
    template <typename Coder>
    bool code(Coder& coder, bool given) {
      const std::uint32_t probability = average_ >> 16;
      const bool bit = coder.bit(probability == 0 ? 1 : probability, given);
      average_ = bit ? average_ + ((~0U - average_) >> kRate) : average_ - (average_ >> kRate);
      return bit;
    }

   private:
    static constexpr unsigned kRate = 5;
    std::uint32_t average_ = 1U << 31;
  };

  struct Beside {
    std::array<Flag, kFlagKinds> flags{};
    std::array<base::AdaptiveNumber, kNumberKinds> numbers{};
  };

  template <typename Inner>
  [[nodiscard]] static std::unique_ptr<Inner> copy_of(const std::unique_ptr<Inner>& model) {
    return model ? std::make_unique<Inner>(*model) : nullptr;
  }

  ModelOptions options_;
  std::unique_ptr<AppModel> app_;  // the one of these that the options ask for
  std::unique_ptr<FastModel> fast_;
  std::unique_ptr<MixModel> mix_;
  Beside beside_;
};

}  // namespace pathspool::branch
