// Targets numbered in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>

#include "branch/decision.h"
#include "branch/table.h"

namespace pathspool::branch {

// When kMost are known, no further one is learned: memory is bounded.
class TargetNumbers {
 public:
  static constexpr std::uint32_t kMost = 1U << 15;

  TargetNumbers() : targets_(kMost), numbers_(std::size_t{2} * kMost) {}

  [[nodiscard]] static std::size_t bytes() { return std::size_t{kMost} * 4 * 3; }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] Target operator[](std::uint32_t number) const { return targets_[number]; }

  // size() if it is new.
  [[nodiscard]] std::uint32_t find(Target target) const {
    const std::uint32_t number = numbers_[place_of(target)];
    return number == 0 ? size_ : number - 1;
  }

  void learn(Target target) {
    std::uint32_t& number = numbers_[place_of(target)];
    // Damaged input may call something new that is not.
    if (number != 0 || size_ == kMost) return;
    targets_[size_++] = target;
    number = size_;
  }

 private:
  // Where the number is, or where it would be: never full, so the search ends.
  [[nodiscard]] std::size_t place_of(Target target) const {
    std::size_t place = (static_cast<std::uint32_t>(target) * 0x9e3779b1U) >> 16;
    while (numbers_[place] != 0 && targets_[numbers_[place] - 1] != target) {
      place = (place + 1) % numbers_.size();
    }
    return place;
  }

  Table<Target> targets_;
  Table<std::uint32_t> numbers_;  // by hash; from 1, 0 is free
  std::uint32_t size_ = 0;
};

}  // namespace pathspool::branch
