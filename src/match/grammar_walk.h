// Runs along the symbols of a start rule with the frames at hand, without expanding the trace: what
// a symbol does to frames in the states they are in is found once, by running along its body in the
// same way, and then remembered (grammar_memo.h).
//
// This is scheme 2 of the path-matching paper, section 4.2, evaluated lazily: symbols that are not
// reached cost nothing, and only for states that occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/grammar_reader.h"
#include "match/grammar_memo.h"
#include "match/search.h"
#include "match/summary_states.h"
#include "pathspool/spool.h"
#include "spool/chunk_facts.h"
#include "spool/phrases.h"

namespace pathspool::match {

// The states of open frames. As a vector, but what costs most is short enough to be inlined.
class StateStack {
 public:
  using State = SummaryStates::State;

  StateStack() { clear(); }

  // One frame, nobody's.
  void clear() {
    size_ = 0;
    push(SummaryStates::kNil);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] State& top() { return states_[size_ - 1]; }
  [[nodiscard]] State below_top(std::uint64_t level) const {
    return level < size_ ? states_[size_ - 1 - level] : SummaryStates::kNil;
  }
  [[nodiscard]] std::span<const State> from(std::size_t index) const {
    return std::span(states_).subspan(index, size_ - index);
  }

  void pop(std::size_t count) { size_ -= count; }
  // So many frames, of which only the highest may be somebody's.
  void push_below(std::size_t count, State top) {
    if (count == 0) return;
    make_room(count);
    for (; count > 1; --count) states_[size_++] = SummaryStates::kNil;
    states_[size_++] = top;
  }
  void push(State state) {
    make_room(1);
    states_[size_++] = state;
  }
  void push(std::span<const State> states) {
    make_room(states.size());
    for (const State state : states) states_[size_++] = state;
  }

 private:
  void make_room(std::size_t count) {
    if (count > states_.size() - size_) [[unlikely]]
      states_.resize(2 * (size_ + count));
  }

  std::vector<State> states_ = std::vector<State>(64);
  std::size_t size_ = 0;
};

class GrammarWalk {
 public:
  // All that is handed over outlives the walk. Occurrences go to `search`.
  GrammarWalk(grammar::GrammarReader& rules, const spool::PhraseTable& phrases, Symbols symbols,
              const SummaryStates& states, Search& search);

  // The known open frames, outermost first.
  void set_frames(std::span<const FrameStates::Frame> known);
  [[nodiscard]] std::vector<FrameStates::Frame> frames() const;

  // Passes these symbols, the first of which begins at index `position` of the stream; they should
  // derive so many events and leave so many more frames open. Ends early when the search is done or
  // its bounds are passed; frames are then not those at the end. Throws Error if a rule turns out
  // damaged; the walk can still be used, with frames set anew.
  void run(std::span<const grammar::Symbol> symbols, std::uint64_t position, std::uint64_t events,
           std::int64_t deeper);

 private:
  using State = SummaryStates::State;

  // More than a trace can have open, even in the midst of a chunk.
  static constexpr std::size_t kMostFrames = 2 * spool::kMostFrames;

  // A symbol that we are in, or at the bottom the start rule. Heights count frames from an
  // arbitrary zero.
  struct Open {
    grammar::Symbol symbol = 0;
    bool learns = false;                      // what it does was unknown
    bool lowest_is_read = false;              // the frame below `lowest` has been touched
    std::span<const grammar::Symbol> rest{};  // of its body
    std::int64_t entry = 0;                   // how high the frames were when it began
    std::int64_t lowest = 0;                  // how low they have been since
    std::uint64_t begin = 0;                  // in the stream
    std::size_t reads_begin = 0;              // its part of reads_
    std::size_t tallies_begin = 0;            // its part of tallies_
  };

  [[nodiscard]] std::int64_t height() const {
    return bottom_ + static_cast<std::int64_t>(frames_.size());
  }
  [[nodiscard]] std::size_t number_of(grammar::Symbol symbol) const {
    return grammar::is_rule(symbol) ? rules_.terminal_count() + grammar::rule_index(symbol)
                                    : symbol;
  }
  [[nodiscard]] State state_at(std::uint64_t level) const { return frames_.below_top(level); }
  // Passes symbols of the innermost body for as long as their effects are in their slots.
  template <bool in_start>
  void pass_small(Open& current);
  bool takes(std::uint32_t tallies, std::uint64_t length);
  void report_hits();
  [[nodiscard]] bool must_look_inside(const Effect& effect) const;
  void apply(const Effect& effect);
  void open(grammar::Symbol symbol, bool learns);
  void close();
  void learn(const Open& closed);
  void run_phrase(std::size_t phrase);
  void run_block(BlockId block);

  void pop(std::uint64_t count) {
    if (count < frames_.size()) [[likely]] {
      frames_.pop(static_cast<std::size_t>(count));
    } else {
      pop_unknown(count);
    }
  }
  void pop_unknown(std::uint64_t count);
  [[noreturn]] static void refuse_frames();
  // Whether the frame at this height is touched for the first time in `open`: frames are touched
  // from the top down, what is above the lowest has been opened since.
  static bool is_new_read(Open& open, std::int64_t at) {
    if (at + 1 > open.lowest || (at + 1 == open.lowest && open.lowest_is_read)) return false;
    open.lowest = at + 1;
    open.lowest_is_read = true;
    return true;
  }
  void read_in(Open& open, std::int64_t at, State state, std::uint8_t first) {
    if (is_new_read(open, at)) {
      reads_.push_back({static_cast<std::uint64_t>(open.entry - 1 - at), state, first});
    }
  }
  void lower(Open& open) const {
    if (height() >= open.lowest) return;
    open.lowest = height();
    open.lowest_is_read = false;
  }
  void add_tally(const Tally& tally);
  void merge_tallies(std::size_t begin);

  grammar::GrammarReader& rules_;
  const spool::PhraseTable& phrases_;
  const bool have_contexts_;
  const SummaryStates& states_;
  Search& search_;
  const bool counts_only_;
  GrammarMemo memo_;
  std::vector<std::uint64_t> list_hits_;  // of symbols passed: by the number of their tallies

  StateStack frames_;  // on a frame that stands for all unknown ones
  std::int64_t bottom_ = 0;
  std::uint64_t position_ = 0;
  std::vector<Open> open_;
  std::vector<LevelRead> reads_;   // of all open symbols
  std::vector<Tally> tallies_;     // of all open symbols
  std::vector<LevelRead> lookup_;  // what the last find asked for
};

}  // namespace pathspool::match
