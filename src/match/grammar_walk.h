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
#include "spool/phrases.h"

namespace pathspool::match {

class GrammarWalk {
 public:
  // All that is handed over outlives the walk. Occurrences go to `search`.
  GrammarWalk(grammar::GrammarReader& rules, const spool::PhraseTable& phrases, Symbols symbols,
              const SummaryStates& states, Search& search);

  // The known open frames, outermost first.
  void set_frames(std::span<const FrameStates::Frame> known);
  [[nodiscard]] std::vector<FrameStates::Frame> frames() const;

  // Passes these symbols, the first of which begins at index `position` of the stream. Ends early
  // when the search is done or its bounds are passed; frames are then not those at the end. Throws
  // Error if a rule turns out damaged; the walk can still be used, with frames set anew.
  void run(std::span<const grammar::Symbol> symbols, std::uint64_t position);

 private:
  using State = SummaryStates::State;

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
  [[nodiscard]] State state_at(std::uint64_t level) const {
    return level < frames_.size() ? frames_[frames_.size() - 1 - level] : SummaryStates::kNil;
  }
  // Passes symbols of the innermost body for as long as their effects are small.
  void pass_small(Open& current);
  [[nodiscard]] bool must_look_inside(const Effect& effect) const;
  void apply(const Effect& effect);
  void open(grammar::Symbol symbol, bool learns);
  void close();
  void learn(const Open& closed);
  void run_phrase(std::size_t phrase);
  void run_block(BlockId block);

  void pop(std::uint64_t count);
  void push(std::uint64_t count);
  // Whether the frame at this height is touched for the first time in `open`.
  static bool is_new_read(Open& open, std::int64_t at);
  void add_tally(const Tally& tally);
  void merge_tallies(std::size_t begin);

  grammar::GrammarReader& rules_;
  const spool::PhraseTable& phrases_;
  const bool have_contexts_;
  const SummaryStates& states_;
  Search& search_;
  GrammarMemo memo_;

  std::vector<State> frames_ = {SummaryStates::kNil};  // on a frame that stands for all unknown
  std::int64_t bottom_ = 0;
  std::uint64_t position_ = 0;
  std::vector<Open> open_;
  std::vector<LevelRead> reads_;   // of all open symbols
  std::vector<Tally> tallies_;     // of all open symbols
  std::vector<LevelRead> lookup_;  // what the last find asked for
};

}  // namespace pathspool::match
