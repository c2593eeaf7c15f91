// Decisions to bytes, under a model that learns as it goes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "branch/bit_encoder.h"
#include "branch/decision.h"
#include "branch/model.h"

namespace pathspool::branch {

// A segment is what is encoded up to `finish`. The bytes do not say how many decisions they hold:
// whoever stores them stores that number, too, so that a run that was cut off ends as any other.
class DecisionEncoder {
 public:
  explicit DecisionEncoder(const ModelOptions& options) : model_(options) {}
  // Starts from what the model has learned.
  explicit DecisionEncoder(Model model) : model_(std::move(model)) {}

  // Whether the conditional was true.
  void conditional(Site site, bool taken);
  // Which of the `count` distinct successors a switch went to; 0 is its default. The switch takes
  // count - 1 site numbers from `site`.
  void choice(Site site, std::uint32_t count, std::uint32_t index);
  // Where an indirect call or a computed goto went.
  void target(Site site, Target id);
  // A recorded function is entered from the given site (any number that tells call sites apart), or
  // left.
  void call(Site from);
  void ret();

  // What is no decision: `kind` < kFlagKinds or kNumberKinds. A flag that is hardly ever set costs
  // hardly anything: 0.00002 bits.
  void flag(unsigned kind, bool set);
  void number(unsigned kind, std::uint64_t value);

  // Ends the segment and begins the next one. The model goes on from what it has learned, so that
  // the next segment can be decoded only after this one, unless it is reset.
  [[nodiscard]] base::Bytes finish();
  void reset() { model_.reset(); }

  [[nodiscard]] const Model& model() const { return model_; }

 private:
  // What the models see of an encoder.
  class Coder {
   public:
    static constexpr bool kEncodes = true;

    bool bit(std::uint32_t probability_of_one, bool given) {
      encoder_.bit(probability_of_one, given);
      return given;
    }
    std::uint64_t number(base::AdaptiveNumber& model, std::uint64_t given) {
      model.encode(encoder_, given);
      return given;
    }
    [[nodiscard]] base::Bytes finish() { return encoder_.finish(); }

   private:
    BitEncoder encoder_;
  };

  Coder coder_;
  Model model_;
};

}  // namespace pathspool::branch
