#include "match/grammar_walk.h"

#include <algorithm>
#include <limits>

#include "pathspool/error.h"

namespace pathspool::match {

GrammarWalk::GrammarWalk(grammar::GrammarReader& rules, const spool::PhraseTable& phrases,
                         Symbols symbols, const SummaryStates& states, Search& search)
    : rules_(rules),
      phrases_(phrases),
      have_contexts_(symbols == Symbols::segments),
      states_(states),
      search_(search),
      counts_only_(search.wish == Wish::count),
      memo_(std::size_t{rules.terminal_count()} + rules.rule_count(), states, search.memory_bytes,
            search.wish == Wish::exists || search.wish == Wish::first) {}

void GrammarWalk::set_frames(std::span<const FrameStates::Frame> known) {
  frames_.clear();
  for (const FrameStates::Frame& frame : known) frames_.push(states_.of(frame));
}

std::vector<FrameStates::Frame> GrammarWalk::frames() const {
  std::vector<FrameStates::Frame> known;
  known.reserve(frames_.size() - 1);
  for (const State state : frames_.from(1)) known.push_back(states_.frame(state));
  return known;
}

void GrammarWalk::run(std::span<const grammar::Symbol> symbols, std::uint64_t position,
                      std::uint64_t events, std::int64_t deeper) {
  const std::int64_t entry = height();
  position_ = position;
  reads_.clear();
  tallies_.clear();
  // The start rule learns nothing, so nothing is lower than it has been.
  Open start;
  start.rest = symbols;
  start.lowest = std::numeric_limits<std::int64_t>::min();
  open_.assign(1, start);
  while (position_ < search_.bounds.to && !search_.done()) {
    Open& current = open_.back();
    if (current.rest.empty()) {
      if (open_.size() == 1) break;
      close();
      continue;
    }
    if (open_.size() == 1) {
      pass_small<true>(current);
    } else {
      pass_small<false>(current);
    }
    if (current.rest.empty() || position_ >= search_.bounds.to) continue;
    const grammar::Symbol symbol = current.rest.front();
    current.rest = current.rest.subspan(1);
    Effect effect;
    const bool is_known = memo_.find(
        number_of(symbol), [this](std::uint64_t level) { return state_at(level); }, lookup_,
        effect);
    if (is_known && (effect.tallies == 0 || !must_look_inside(effect))) {
      apply(effect);
      continue;
    }
    open(symbol, !is_known);
    if (!grammar::is_rule(symbol)) run_phrase(symbol);
  }
  report_hits();
  const bool at_end = open_.size() == 1 && open_.front().rest.empty();
  if (position_ - position > events ||
      (at_end && (position_ - position != events || height() - entry != deeper))) {
    throw Error("a chunk of the grammar does not derive the events it should");
  }
}

// Most symbols do little enough to be remembered in their slots; in a start rule these are fetched
// ahead. With Wish::count it does not matter where in a symbol occurrences are.
template <bool in_start>
void GrammarWalk::pass_small(Open& current) {
  constexpr std::ptrdiff_t kAhead = 12;
  const std::uint32_t terminals = rules_.terminal_count();
  const auto number = [terminals](grammar::Symbol symbol) {
    return grammar::rule_index(symbol) +
           std::size_t{terminals & -static_cast<std::uint32_t>(grammar::is_rule(symbol))};
  };
  const grammar::Symbol* at = current.rest.data();
  const grammar::Symbol* const end = at + current.rest.size();
  std::uint64_t position = position_;
  for (; at != end && position < search_.bounds.to; ++at) {
    if (in_start && end - at > kAhead) memo_.prefetch(number(at[kAhead]));
    MemoSlot slot = memo_.slot(number(*at));
    const bool reads = slot.reads != MemoSlot::kNothing;
    const State state = state_at(slot.level);
    const State key = memo_.key(slot, state);
    if (reads && slot.state != key) {
      if (slot.reads != MemoSlot::kLevel) break;
      const MemoSlot* other = memo_.other_slot(number(*at), key);
      if (other == nullptr) break;
      slot = *other;
    }
    if (slot.is_small == 0) break;
    if (slot.pops >= frames_.size() || slot.pushes > kMostFrames - frames_.size()) break;
    if (slot.tallies != 0) {
      position_ = position;
      if (!takes(slot.tallies, slot.length)) break;
    }
    if (!in_start && reads) {
      read_in(current, height() - 1 - slot.level, state, static_cast<std::uint8_t>(slot.first));
    }
    frames_.pop(slot.pops);
    if (!in_start) lower(current);
    frames_.top() = slot.kept != MemoSlot::kNone ? static_cast<State>(slot.kept) : frames_.top();
    frames_.push_below(slot.pushes, slot.top);
    position += slot.length;
  }
  position_ = position;
  current.rest = current.rest.last(static_cast<std::size_t>(end - at));
}

// Counts the occurrences in a symbol that begins here, if that is all there is to do.
bool GrammarWalk::takes(std::uint32_t tallies, std::uint64_t length) {
  if (!counts_only_ || position_ < search_.bounds.from || length > search_.bounds.to - position_) {
    return false;
  }
  if (tallies >= list_hits_.size()) list_hits_.resize(2 * memo_.lists());
  ++list_hits_[tallies];
  if (open_.size() > 1) {
    for (const Tally& tally : memo_.tallies(tallies)) add_tally(tally);
  }
  return true;
}

void GrammarWalk::report_hits() {
  for (std::uint32_t list = 1; list < list_hits_.size(); ++list) {
    if (list_hits_[list] == 0) continue;
    for (const Tally& tally : memo_.tallies(list)) {
      search_.found(tally.query, position_, tally.count * list_hits_[list]);
    }
    list_hits_[list] = 0;
  }
}

// Where each occurrence is does not show from outside.
bool GrammarWalk::must_look_inside(const Effect& effect) const {
  const std::uint64_t end = position_ + effect.length;
  if (end <= search_.bounds.from) return false;
  return search_.wish == Wish::all || position_ < search_.bounds.from || end > search_.bounds.to;
}

void GrammarWalk::apply(const Effect& effect) {
  Open& current = open_.back();
  const std::int64_t top = height() - 1;
  for (const LevelRead& read : lookup_) {
    read_in(current, top - static_cast<std::int64_t>(read.level), read.state, read.first);
  }
  if (effect.tallies != 0) {
    const bool counts = position_ >= search_.bounds.from;
    for (Tally tally : memo_.tallies(effect.tallies)) {
      tally.first += position_;
      if (counts) search_.found(tally.query, tally.first, tally.count);
      if (open_.size() > 1) add_tally(tally);
    }
  }
  pop(effect.pops);
  lower(current);
  if (effect.kept != Effect::kUntouched) frames_.top() = effect.kept;
  if (effect.pushes > kMostFrames - frames_.size()) refuse_frames();
  if (effect.pushed == Effect::kAllNil) {
    frames_.push_below(effect.pushes, effect.top);
  } else {
    frames_.push(memo_.states(effect));
  }
  position_ += effect.length;
}

void GrammarWalk::open(grammar::Symbol symbol, bool learns) {
  if (open_.size() > rules_.rule_count() + std::size_t{1}) {
    throw Error("a rule of the grammar derives itself");
  }
  Open opened;
  opened.symbol = symbol;
  opened.learns = learns;
  if (grammar::is_rule(symbol)) opened.rest = rules_.body(grammar::rule_index(symbol));
  opened.entry = height();
  opened.lowest = opened.entry;
  opened.begin = position_;
  opened.reads_begin = reads_.size();
  opened.tallies_begin = tallies_.size();
  open_.push_back(opened);
}

// What was touched in a symbol is touched in the one around it, unless that opened the frame itself
// or has touched it before.
void GrammarWalk::close() {
  const Open closed = open_.back();
  merge_tallies(closed.tallies_begin);
  if (closed.learns) learn(closed);
  open_.pop_back();
  Open& around = open_.back();

  std::size_t kept = closed.reads_begin;
  for (std::size_t i = closed.reads_begin; i < reads_.size(); ++i) {
    const std::int64_t at = closed.entry - 1 - static_cast<std::int64_t>(reads_[i].level);
    if (is_new_read(around, at)) {
      reads_[kept++] = {static_cast<std::uint64_t>(around.entry - 1 - at), reads_[i].state,
                        reads_[i].first};
    }
  }
  reads_.resize(kept);
  if (closed.lowest < around.lowest) {
    around.lowest = closed.lowest;
    around.lowest_is_read = false;
  }
  if (open_.size() == 1) {
    tallies_.clear();
  } else if (closed.tallies_begin > around.tallies_begin &&
             tallies_.size() > 2 * search_.answers.size() + around.tallies_begin) {
    merge_tallies(around.tallies_begin);
  }
}

void GrammarWalk::learn(const Open& closed) {
  Effect effect;
  effect.length = position_ - closed.begin;
  effect.pops = static_cast<std::uint64_t>(closed.entry - closed.lowest);
  effect.pushes = static_cast<std::uint32_t>(height() - closed.lowest);
  const std::size_t kept = frames_.size() - effect.pushes;
  if (closed.lowest_is_read) effect.kept = frames_.from(kept - 1).front();
  const std::span tallies = std::span(tallies_).subspan(closed.tallies_begin);
  for (Tally& tally : tallies) tally.first -= closed.begin;
  memo_.learn(number_of(closed.symbol), std::span(reads_).subspan(closed.reads_begin), effect,
              frames_.from(kept), tallies);
  for (Tally& tally : tallies) tally.first += closed.begin;
}

// Runs along the events of a phrase, the symbol that was opened last.
void GrammarWalk::run_phrase(std::size_t phrase) {
  // With contexts it is known whose the blocks are that come before any call or exit, and others'
  // need not be looked at: that they touch nothing is what makes most symbols independent of
  // states.
  const bool are_others =
      have_contexts_ && (!phrases_.contexts[phrase] ||
                         states_.entered(*phrases_.contexts[phrase]) == SummaryStates::kNil);
  for (const Event& event : phrases_[phrase]) {
    Open& current = open_.back();
    switch (event.kind) {
      case EventKind::enter:
        if (frames_.size() >= kMostFrames) refuse_frames();
        frames_.push(states_.entered(event.function()));
        break;
      case EventKind::exit:
        pop(1);
        lower(current);
        break;
      case EventKind::block:
        if (are_others && height() == current.entry && current.lowest == current.entry) break;
        run_block(event.block_id());
        break;
    }
    ++position_;
  }
}

void GrammarWalk::run_block(BlockId block) {
  Open& current = open_.back();
  const std::int64_t top = height() - 1;
  State& state = frames_.top();
  if (is_new_read(current, top)) {
    reads_.push_back({static_cast<std::uint64_t>(current.entry - 1 - top), state,
                      memo_.first_blocks().number(block)});
  }
  state = states_.next(state, block);
  for (const std::uint32_t query : states_.found(state)) {
    if (position_ >= search_.bounds.from && position_ < search_.bounds.to) {
      search_.found(query, position_);
    }
    add_tally({query, 1, position_});
  }
}

void GrammarWalk::pop_unknown(std::uint64_t count) {
  bottom_ -= static_cast<std::int64_t>(count - (frames_.size() - 1));
  frames_.clear();
}

void GrammarWalk::refuse_frames() { throw Error("too many frames are open there"); }

void GrammarWalk::add_tally(const Tally& tally) {
  if (tallies_.size() > open_.back().tallies_begin && tallies_.back().query == tally.query) {
    tallies_.back().count += tally.count;
  } else {
    tallies_.push_back(tally);
  }
}

// One for each query: the first is the least of those in the parts and those across the seams.
void GrammarWalk::merge_tallies(std::size_t begin) {
  if (tallies_.size() - begin < 2) return;
  const auto from = tallies_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(from, tallies_.end(), [](const Tally& a, const Tally& b) { return a.query < b.query; });
  auto last = from;
  for (auto next = from + 1; next != tallies_.end(); ++next) {
    if (next->query == last->query) {
      last->count += next->count;
      last->first = std::min(last->first, next->first);
    } else {
      *++last = *next;
    }
  }
  tallies_.erase(last + 1, tallies_.end());
}

}  // namespace pathspool::match
