// A fast way from names to functions, for readers that meet the same names again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "pathspool/function_table.h"

namespace pathspool::trace {

// From the bytes of a name to its function. A name whose slot another one has taken is asked of the
// table's own, slower map; there are so many slots that this is rare.
class NameCache {
 public:
  explicit NameCache(FunctionTable& functions)
      : functions_(functions), slots_(std::size_t{1} << slot_bits_) {}

  FunctionId find_or_add(std::string_view name) {
    const std::uint64_t hash = hash_of(name);
    const auto tag = static_cast<std::uint32_t>(hash);
    const Slot slot = slots_[hash >> (64 - slot_bits_)];
    if (slot.tag == tag && slot.id != kNoFunction && functions_[slot.id].name == name) [[likely]] {
      return slot.id;
    }
    return remember(hash, functions_.intern(name));
  }

 private:
  static constexpr std::size_t kSlotsPerFunction = 4;
  static constexpr FunctionId kNoFunction{std::numeric_limits<std::uint32_t>::max()};

  struct Slot {
    std::uint32_t tag = 0;
    FunctionId id = kNoFunction;
  };

  FunctionId remember(std::uint64_t hash, FunctionId id) {
    if (slots_.size() < functions_.size() * kSlotsPerFunction) {
      while (std::size_t{1} << slot_bits_ < functions_.size() * kSlotsPerFunction) ++slot_bits_;
      // All are forgotten, and come back as they are named.
      slots_.assign(std::size_t{1} << slot_bits_, Slot{});
    }
    slots_[hash >> (64 - slot_bits_)] = {static_cast<std::uint32_t>(hash), id};
    return id;
  }

  template <typename Word>
  static std::uint64_t load(const char* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  // Two loads that may overlap cover any name of up to 16 bytes, without a loop over its bytes.
  static std::uint64_t hash_of(std::string_view name) {
    const char* bytes = name.data();
    const std::size_t size = name.size();
    std::uint64_t hash = size;
    if (size >= 8) {
      for (std::size_t at = 0; at + 8 < size; at += 8) {
        hash = mixed(hash ^ load<std::uint64_t>(bytes + at));
      }
      return mixed(hash ^ load<std::uint64_t>(bytes + size - 8));
    }
    if (size >= 4) {
      const std::uint64_t tail = load<std::uint32_t>(bytes + size - 4);
      return mixed(hash ^ load<std::uint32_t>(bytes) ^ tail << 32);
    }
    if (size == 0) return 0;
    const std::uint64_t three = load<std::uint8_t>(bytes) << 8 |
                                load<std::uint8_t>(bytes + size / 2) << 16 |
                                load<std::uint8_t>(bytes + size - 1) << 24;
    return mixed(hash ^ three);
  }

  // Multiplying spreads a bit only upwards, so the slot is taken from the top, where all bits meet;
  // the shift brings them down again for the next word of the name, and for the tag.
  static std::uint64_t mixed(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    return value ^ value >> 32;
  }

  FunctionTable& functions_;
  unsigned slot_bits_ = 8;  // log2 of their number
  std::vector<Slot> slots_;
};

}  // namespace pathspool::trace
