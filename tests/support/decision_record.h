// Decisions in memory: a sink for a DecisionMaker and a source for a Player.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pathspool/error.h"
#include "playback/walk.h"

namespace pathspool::testing {

// Sites are not kept: who plays asks at the same ones.
class DecisionRecord {
 public:
  // As a sink.
  void conditional(std::uint32_t, bool taken) { bits_.push_back(taken); }
  void choice(std::uint32_t, std::uint32_t, std::uint32_t index) { choices_.push_back(index); }
  void jump(std::uint32_t, std::uint32_t, std::uint32_t index) { jumps_.push_back(index); }
  void target(std::uint32_t, std::uint32_t answer) { targets_.push_back(answer); }
  void escape(const playback::Escape& escape) { escapes_.push_back(escape); }

  [[nodiscard]] std::size_t conditionals() const { return bits_.size(); }
  [[nodiscard]] std::size_t choices() const { return choices_.size(); }
  [[nodiscard]] std::size_t jumps() const { return jumps_.size(); }
  [[nodiscard]] std::size_t targets() const { return targets_.size(); }
  [[nodiscard]] const std::vector<playback::Escape>& escapes() const { return escapes_; }

  // As a source, from the beginning.
  class Source {
   public:
    explicit Source(const DecisionRecord& record) : record_(record) {}

    bool conditional(std::uint32_t) { return next(record_.bits_, bit_); }
    std::uint32_t choice(std::uint32_t, std::uint32_t) { return next(record_.choices_, choice_); }
    std::uint32_t jump(std::uint32_t, std::uint32_t) { return next(record_.jumps_, jump_); }
    std::uint32_t target(std::uint32_t) { return next(record_.targets_, target_); }
    std::optional<playback::Escape> escape() {
      if (escape_ == record_.escapes_.size()) return std::nullopt;
      return record_.escapes_[escape_++];
    }
    // Whether everything was asked for.
    [[nodiscard]] bool at_end() const {
      return bit_ == record_.bits_.size() && choice_ == record_.choices_.size() &&
             jump_ == record_.jumps_.size() && target_ == record_.targets_.size() &&
             escape_ == record_.escapes_.size();
    }

   private:
    template <typename Values>
    static typename Values::value_type next(const Values& values, std::size_t& at) {
      if (at == values.size()) throw Error("no decisions are left");
      return values[at++];
    }

    const DecisionRecord& record_;
    std::size_t bit_ = 0;
    std::size_t choice_ = 0;
    std::size_t jump_ = 0;
    std::size_t target_ = 0;
    std::size_t escape_ = 0;
  };

 private:
  std::vector<bool> bits_;
  std::vector<std::uint32_t> choices_;
  std::vector<std::uint32_t> jumps_;
  std::vector<std::uint32_t> targets_;
  std::vector<playback::Escape> escapes_;
};

}  // namespace pathspool::testing
