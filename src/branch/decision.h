// What a control-flow graph does not say about a run, and how it is to be modelled.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pathspool::branch {

// Where a decision falls. A conditional, an indirect call and a computed goto take one number each,
// a switch of n successors takes n - 1 (the conditionals of its cascade): numbers are dense, in the
// order of the functions and of their blocks.
enum class Site : std::uint32_t {};

// Whom an indirect call calls or where a computed goto goes: any number, but the same one for the
// same place.
enum class Target : std::uint32_t {};

// What the models are named by, in files too.
enum class ModelKind : std::uint8_t {
  app = 1,   // the one of "Arithmetic Program Paths", as a yardstick
  fast = 2,  // three histories, mixed by learned weights
  mix = 3,   // eight predictors, mixed and refined: the smallest
};

struct ModelOptions {
  ModelKind kind = ModelKind::mix;

  // Of `app`: bits of the site's number, of its own last outcomes and of everyone's last outcomes.
  // Together at most kMostContextBits.
  unsigned branch_bits = 10;
  unsigned local_bits = 7;
  unsigned global_bits = 7;
  // Of `app`: calls save the global history, returns restore it (section 7.4).
  bool intraprocedural = false;

  // Of `fast` and `mix`: what their tables may take. The largest power of two that fits is used;
  // 0 stands for what was found best. Below a model's least, that is used.
  std::size_t memory_bytes = 0;

  friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

inline constexpr unsigned kMostContextBits = 28;
inline constexpr unsigned kMostHistoryBits = 16;

// Whether a model can be built with them: what a file says is to be asked first.
[[nodiscard]] constexpr bool are_valid(const ModelOptions& options) {
  return options.kind >= ModelKind::app && options.kind <= ModelKind::mix &&
         options.branch_bits <= kMostHistoryBits && options.local_bits <= kMostHistoryBits &&
         options.global_bits <= kMostHistoryBits &&
         options.branch_bits + options.local_bits + options.global_bits <= kMostContextBits &&
         options.memory_bytes <= (std::size_t{1} << 30);
}

// Kinds of numbers and of flags that are coded beside the decisions, each with its own statistics.
inline constexpr unsigned kNumberKinds = 8;
inline constexpr unsigned kFlagKinds = 64;

}  // namespace pathspool::branch
