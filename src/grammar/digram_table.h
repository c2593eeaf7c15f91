// Open-addressed map from a digram's hash to the node that owns the digram.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/flat_array.h"
#include "grammar/grammar.h"

namespace pathspool::grammar {

[[nodiscard]] inline std::uint32_t digram_hash(Symbol first, Symbol second) {
  const std::uint64_t both = (std::uint64_t{first} << 32) | second;
  return static_cast<std::uint32_t>((both * 0x9e37'79b9'7f4a'7c15) >> 32);
}

// Linear probing, backward-shift deletion, at most half full. A slot keeps the whole hash, whose
// top bits are its home, so neither a deletion nor a growth looks at a node. Node 0 is never
// stored.
class DigramTable {
 public:
  DigramTable() { allocate(kSmallest); }

  // Makes room for `entries` in all. Costs one sequential pass over the slots when it grows.
  void reserve(std::uint64_t entries) {
    while (2 * entries > slots_.size()) [[unlikely]] {
        grow();
      }
  }

  // The stored node for which `is_same(node)` holds among those of this hash, or 0.
  template <typename IsSame>
  [[nodiscard]] std::uint32_t find(std::uint32_t hash, IsSame is_same) const {
    for (std::size_t index = home(hash);; index = (index + 1) & mask_) {
      const Slot slot = slots_[index];
      if (slot.node == 0) return 0;
      if (slot.hash == hash && is_same(slot.node)) return slot.node;
    }
  }

  // The digram must be absent and room for it reserved.
  void insert(std::uint32_t hash, std::uint32_t node) {
    std::size_t index = home(hash);
    while (slots_[index].node != 0) index = (index + 1) & mask_;
    slots_[index] = {node, hash};
  }

  // `node` must be present.
  void replace(std::uint32_t hash, std::uint32_t node, std::uint32_t new_node) {
    slots_[locate(hash, node)].node = new_node;
  }

  // `node` must be present.
  void erase(std::uint32_t hash, std::uint32_t node) {
    std::size_t hole = locate(hash, node);
    for (std::size_t index = (hole + 1) & mask_;; index = (index + 1) & mask_) {
      const Slot slot = slots_[index];
      if (slot.node == 0) break;
      // The entry may move back to the hole unless its home lies behind the hole.
      if (((index - home(slot.hash)) & mask_) >= ((index - hole) & mask_)) {
        slots_[hole] = slot;
        hole = index;
      }
    }
    slots_[hole].node = 0;
  }

  void clear() { std::memset(slots_.data(), 0, slots_.bytes()); }

  [[nodiscard]] std::uint64_t bytes() const { return slots_.bytes(); }
  // What bytes() will be once `entries` are reserved. Growth is in place: there is no higher peak.
  [[nodiscard]] std::uint64_t bytes_for(std::uint64_t entries) const {
    std::uint64_t size = slots_.size();
    while (2 * entries > size) size *= 2;
    return size * sizeof(Slot);
  }

 private:
  struct Slot {
    std::uint32_t node;  // 0: empty
    std::uint32_t hash;
  };
  static constexpr std::size_t kSmallest = 1024;

  [[nodiscard]] std::size_t home(std::uint32_t hash) const { return hash >> shift_; }

  [[nodiscard]] std::size_t locate(std::uint32_t hash, std::uint32_t node) const {
    std::size_t index = home(hash);
    while (slots_[index].node != node) index = (index + 1) & mask_;
    return index;
  }

  void allocate(std::size_t size) {
    slots_.resize(size);
    slots_.prefer_huge_pages();
    mask_ = size - 1;
    shift_ = 32 - std::countr_zero(size);
    clear();
  }

  // Doubles in place. The old slots are copied to the upper half and reinserted from there in
  // order. Entry o of the upper half lands at or below its own place: if its new home is h, then
  // what fills h.. before it came from distinct old slots in [h/2, o), so it ends at most at
  // o + h/2 < o + old_size. Only entries that had wrapped around the end break this; they wait.
  void grow() {
    const std::size_t old_size = slots_.size();
    if (old_size > (std::size_t{1} << 30)) throw std::bad_alloc();
    std::vector<Slot> wrapped;
    for (std::size_t index = 0; index < old_size && slots_[index].node != 0; ++index) {
      if (home(slots_[index].hash) > index) wrapped.push_back(slots_[index]);
    }
    slots_.resize(2 * old_size);
    slots_.prefer_huge_pages();
    std::memcpy(&slots_[old_size], &slots_[0], old_size * sizeof(Slot));
    std::memset(&slots_[0], 0, old_size * sizeof(Slot));
    const std::size_t old_shift = static_cast<std::size_t>(shift_);
    mask_ = 2 * old_size - 1;
    --shift_;
    for (std::size_t index = 0; index < old_size; ++index) {
      const Slot slot = std::exchange(slots_[old_size + index], Slot{0, 0});
      if (slot.node != 0 && (slot.hash >> old_shift) <= index) insert(slot.hash, slot.node);
    }
    for (const Slot slot : wrapped) insert(slot.hash, slot.node);
  }

  base::FlatArray<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 0;  // 32 - log2(slots)
};

}  // namespace pathspool::grammar
