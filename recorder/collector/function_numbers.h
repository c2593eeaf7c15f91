// From the number in an enter word to the function: what the decoder looks up for each call.
#pragma once

#include <cstdint>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/wire/word.h"

namespace pathspool::collector {

// A block word's bits that say of which function it is.
inline constexpr wire::Word kKeyMask = wire::kKindMask | (wire::kTagMask << wire::kTagShift);
constexpr wire::Word key_of(wire::Word tag) {
  return wire::kBlockKind | ((tag & wire::kTagMask) << wire::kTagShift);
}
// Of no word at all, under kKeyMask.
inline constexpr wire::Word kNoKey = 1;
static_assert((kNoKey & ~kKeyMask) != 0);

// Instead of a count of blocks, where that is not known.
inline constexpr std::uint32_t kAnyBlock = 0xffffffff;

struct NumberedFunction {
  FunctionId function{};
  wire::Word key : 31 = kNoKey;  // kNoKey: no function has this number
  wire::Word kept : 1 = 0;       // 0: frames of it are followed, but leave no events
  std::uint32_t blocks = kAnyBlock;
};

// Numbers come in runs, one after the other: an array is enough.
class FunctionNumbers {
 public:
  // More than any program has, and little enough that a false claim does not use up the memory.
  static constexpr std::uint32_t kMostFunctions = 1U << 24;

  [[nodiscard]] NumberedFunction operator[](wire::Word number) const {
    const wire::Word index = number - wire::kFirstModuleBase;  // wraps for those below: too large
    return index < functions_.size() ? functions_[index] : NumberedFunction{};
  }

  // False if the numbers from `base` on are out of range.
  [[nodiscard]] static bool has_room_for(wire::Word base, std::uint64_t count) {
    return base >= wire::kFirstModuleBase && base - wire::kFirstModuleBase <= kMostFunctions &&
           count <= kMostFunctions - (base - wire::kFirstModuleBase);
  }
  // There must be room.
  void assign(wire::Word number, const NumberedFunction& function) {
    const wire::Word index = number - wire::kFirstModuleBase;
    if (index >= functions_.size()) functions_.resize(index + 1);
    functions_[index] = function;
  }

 private:
  std::vector<NumberedFunction> functions_;
};

}  // namespace pathspool::collector
