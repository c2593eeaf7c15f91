// Bytes back to decisions, under the same model as they were encoded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "branch/bit_decoder.h"
#include "branch/decision.h"
#include "branch/model.h"

namespace pathspool::branch {

// Must be asked for the same decisions at the same sites in the same order, which the walk through
// the graphs sees to, and for as many as were encoded.
//
// Fails stickily: from bytes that are damaged or end early come decisions that are in range and
// mean nothing; `failed()` tells when bytes were missing, and checksums must tell the rest.
class DecisionDecoder {
 public:
  // The bytes must outlive the segment.
  DecisionDecoder(const ModelOptions& options, base::ByteView bytes)
      : coder_(bytes), model_(options) {}
  // Starts from what the model has learned.
  DecisionDecoder(Model model, base::ByteView bytes) : coder_(bytes), model_(std::move(model)) {}

  // See DecisionEncoder. An index is below its count; a count of 0 or 1 leaves no choice: 0.
  [[nodiscard]] bool conditional(Site site);
  [[nodiscard]] std::uint32_t choice(Site site, std::uint32_t count);
  [[nodiscard]] Target target(Site site);
  void call(Site from);
  void ret();
  [[nodiscard]] bool flag(unsigned kind);
  [[nodiscard]] std::uint64_t number(unsigned kind);

  // Begins the next segment; the model goes on from what it has learned, unless it is reset.
  void next_segment(base::ByteView bytes) { coder_ = Coder(bytes); }
  void reset() { model_.reset(); }

  // Decisions were asked for that the bytes cannot hold.
  [[nodiscard]] bool failed() const { return coder_.failed(); }

  [[nodiscard]] const Model& model() const { return model_; }

 private:
  // What the models see of a decoder.
  class Coder {
   public:
    static constexpr bool kEncodes = false;

    explicit Coder(base::ByteView bytes) : decoder_(bytes) {}

    [[nodiscard]] bool bit(std::uint32_t probability_of_one, bool) {
      return decoder_.bit(probability_of_one);
    }
    [[nodiscard]] std::uint64_t number(base::AdaptiveNumber& model, std::uint64_t) {
      return model.decode(decoder_);
    }
    [[nodiscard]] bool failed() const { return decoder_.failed(); }

   private:
    BitDecoder decoder_;
  };

  Coder coder_;
  Model model_;
};

}  // namespace pathspool::branch
