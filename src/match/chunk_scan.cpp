#include "match/chunk_scan.h"

#include <bit>
#include <cstddef>
#include <cstring>

#include "match/control_masks.h"
#include "pathspool/error.h"
#include "spool/event_coding.h"

namespace pathspool::match {
namespace {

// Marks, in ScanFrame::paths, a frame whose opening is not over.
constexpr std::uint32_t kOpeningBit = std::uint32_t{1} << 31;

bool is_short_block(std::uint8_t byte) {
  return static_cast<std::uint8_t>(byte - 1) < spool::kLargestShortBlock;
}

// The first byte from `at` on that is no short block, or `end`. Eight bytes at a time: the highest
// bit of each is set if it is 0 (which may be wrong for bytes after such a one) or from 0xf0 on.
const std::uint8_t* after_short_blocks(const std::uint8_t* at, const std::uint8_t* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  while (end - at >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    const std::uint64_t is_zero = (word - kOnes) & ~word;
    const std::uint64_t is_large = word & (word << 1) & (word << 2) & (word << 3);
    const std::uint64_t ends = (is_zero | is_large) & (kOnes << 7);
    if (ends != 0) return at + std::countr_zero(ends) / 8;
    at += 8;
  }
  while (at != end && is_short_block(*at)) ++at;
  return at;
}

class Scanner {
 public:
  Scanner(const ScanTables& tables, const ChunkTask& task)
      : tables_(tables),
        task_(task),
        rows_(tables.rows()),
        begin_(task.bytes.data()),
        at_(begin_),
        end_(begin_ + task.bytes.size()),
        first_index_(task.first_event),
        place_(static_cast<std::ptrdiff_t>(task.entry.size()) - 1) {
    findings_.openings.resize(task.entry.size());
    frames_.push_back({-1, {}});
    for (std::size_t i = 0; i < task.entry.size(); ++i) {
      const std::uint32_t paths = task.entry[i];
      if (paths == FrameStates::kNobody) continue;
      const std::uint32_t row = tables[paths].row_of(PathAutomaton::kStart);
      frames_.push_back({static_cast<std::ptrdiff_t>(i), {row, paths | kOpeningBit}});
    }
    if (task.wish == Wish::count) {
      findings_.counts.resize(tables.states());
      counts_all_ =
          task.bounds.from <= task.first_event && task.bounds.to >= task.first_event + task.events;
    }
    if (task.wish == Wish::first || task.wish == Wish::exists) await_every_query();
  }

  ChunkFindings scan() {
    while (at_ != end_ && !findings_.stopped) {
      const AskedFrame& frame = frames_.back();
      if (frame.place != place_) {
        scan_others();
      } else if (frame.is_opening()) {
        scan_opening();
      } else {
        scan_frame();
      }
      if (at_ != end_ && !findings_.stopped && !is_short_block(*at_)) take_control();
    }
    if (!findings_.stopped) finish();
    return std::move(findings_);
  }

 private:
  // An open frame that something is asked of. The others need no entry: they are told by their
  // place, which counts from 0 for the first frame of the task's `entry`.
  struct AskedFrame {
    std::ptrdiff_t place = 0;
    ScanFrame frame;

    [[nodiscard]] bool is_opening() const { return (frame.paths & kOpeningBit) != 0; }
    [[nodiscard]] std::uint32_t paths() const { return frame.paths & ~kOpeningBit; }
  };

  void await_every_query() {
    seen_state_.resize(tables_.states());
    for (const FunctionPaths& paths : tables_.asked()) {
      for (const std::uint32_t query : paths.queries) {
        if (query >= seen_query_.size()) seen_query_.resize(query + 1, true);
        if (seen_query_[query]) ++unseen_;
        seen_query_[query] = false;
      }
    }
  }

  [[nodiscard]] std::uint64_t index_of(const std::uint8_t* byte) const {
    return first_index_ + static_cast<std::uint64_t>(byte - begin_);
  }

  // Frames that nothing is asked of, until one is running that something is, or something rare
  // comes. Many bytes are passed at a time, but not the first ones: a call out of a frame that
  // something is asked of is often over soon.
  void scan_others() {
#ifdef PATHSPOOL_CONTROL_MASKS
    while (end_ - at_ >= 2 * kMaskedBytes) {
      if (!scan_others_one_by_one(at_ + kMaskedBytes) || !scan_others_by_masks()) return;
    }
#endif
    scan_others_one_by_one(end_);
  }

#ifdef PATHSPOOL_CONTROL_MASKS
  // 64 bytes at a time, while their numbers take two bytes at most and the second does not look
  // like a code. False if an exit or an enter is met that ends scan_others; it comes next.
  bool scan_others_by_masks() {
    const std::ptrdiff_t asked_place = frames_.back().place;
    while (end_ - at_ >= kMaskedBytes) {
      const ControlMasks masks(at_);
      const std::uint64_t controls = masks.controls();
      if (controls == 0) {
        at_ += kMaskedBytes;
        continue;
      }
      const std::uint64_t like_enters = masks.equal_to(spool::kEnterCode);
      const std::uint64_t like_codes = like_enters | masks.equal_to(spool::kLongBlockCode);
      // Of two in a row, the second begins the number of the first.
      const std::uint64_t numbered = like_codes & ~(like_codes << 1);
      const std::uint64_t enters = like_enters & numbered;
      const std::uint64_t high = masks.high();
      const std::uint64_t first_of_number = numbered << 1;
      const std::uint64_t second_of_number = (first_of_number & high) << 1;
      const std::uint64_t third_of_number = (second_of_number & high) << 1;
      const std::uint64_t of_numbers = first_of_number | second_of_number;
      const std::uint64_t exits = masks.equal_to(spool::kExitCode) & ~of_numbers;
      const std::uint64_t malformed = controls & ~(numbered | exits | of_numbers);
      const std::uint64_t three_in_a_row = like_codes & like_codes << 1 & like_codes << 2;
      if ((malformed | third_of_number | three_in_a_row | (numbered & of_numbers)) != 0)
        return true;
      // What begins near the end may have its number beyond it: up to there, then.
      constexpr unsigned kSurelyWhole = static_cast<unsigned>(kMaskedBytes) - 3;
      unsigned length = static_cast<unsigned>(kMaskedBytes);
      if (const std::uint64_t last = numbered >> kSurelyWhole; last != 0) {
        length = kSurelyWhole + static_cast<unsigned>(std::countr_zero(last));
      }
      const unsigned stop = first_that_matters(enters, exits, length, asked_place);
      const std::uint64_t passed = stop == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << stop) - 1;
      place_ += std::popcount(enters & passed) - std::popcount(exits & passed);
      first_index_ -= static_cast<std::uint64_t>(std::popcount(of_numbers & passed));
      at_ += stop;
      if (stop < length) return false;
    }
    return true;
  }

  // Where a function is entered that something is asked of, or the frame asked for is returned to;
  // `length` if neither comes before it.
  [[nodiscard]] unsigned first_that_matters(std::uint64_t enters, std::uint64_t exits,
                                            unsigned length, std::ptrdiff_t asked_place) const {
    const std::span<const ScanFrame> entered = tables_.entered();
    if (length < 64) {
      enters &= (std::uint64_t{1} << length) - 1;
      exits &= (std::uint64_t{1} << length) - 1;
    }
    for (std::uint64_t left = enters; left != 0; left &= left - 1) {
      const auto at = static_cast<unsigned>(std::countr_zero(left));
      const std::uint32_t low = at_[at + 1];
      const std::uint32_t id = low < 0x80 ? low : (low & 0x7f) | std::uint32_t{at_[at + 2]} << 7;
      if (id >= entered.size() || entered[id].paths != FrameStates::kNobody) {
        length = at;
        exits &= (std::uint64_t{1} << at) - 1;
        break;
      }
    }
    // Too few exits do not lead there, least of all those that end what was just entered. The sum
    // carries from each enter to the exit or enter that comes next.
    const std::uint64_t of_calls = ((enters << 1) + ~(enters | exits)) & exits;
    if (std::popcount(exits & ~of_calls) < place_ - asked_place) return length;
    std::ptrdiff_t place = place_;
    for (std::uint64_t left = enters | exits; left != 0; left &= left - 1) {
      const auto at = static_cast<unsigned>(std::countr_zero(left));
      // No branch by what it is, which is hard to guess.
      place += 1 - 2 * static_cast<std::ptrdiff_t>(exits >> at & 1);
      if (place == asked_place) return at;
    }
    return length;
  }
#endif

  // No block is looked at: only exits and enters are. Where `at` goes is told by branches, which
  // are guessed, rather than computed from what was read, which would have to be waited for. True
  // if `until` is reached first.
  bool scan_others_one_by_one(const std::uint8_t* until) {
    const std::uint8_t* at = at_;
    const std::uint8_t* const end = end_;
    const std::span<const ScanFrame> entered = tables_.entered();
    const std::ptrdiff_t asked_place = frames_.back().place;
    std::ptrdiff_t place = place_;
    std::uint64_t extra_bytes = 0;
    bool is_over = true;
    while (true) {
      if (at >= until) {
        is_over = false;
        break;
      }
      if (end - at < 8) {
        at = after_short_blocks(at, end);
        if (end - at < 3) break;
      } else if (is_short_block(at[0])) {
        if (!is_short_block(at[1])) {
          at += 1;
        } else if (!is_short_block(at[2])) {
          at += 2;
        } else if (!is_short_block(at[3])) {
          at += 3;
        } else {
          at = after_short_blocks(at + 4, end);
          if (end - at < 3) break;
        }
      }
      if (*at == spool::kExitCode) {
        if (place == 0) break;
        ++at;
        if (--place == asked_place) break;
        continue;
      }
      // An enter or a long block; most numbers take one byte or two.
      std::uint32_t id = at[1];
      unsigned id_bytes = 1;
      if (id >= 0x80) {
        if (at[2] >= 0x80) break;
        id = (id & 0x7f) | std::uint32_t{at[2]} << 7;
        id_bytes = 2;
      }
      if (*at == spool::kEnterCode) {
        if (id >= entered.size() || entered[id].paths != FrameStates::kNobody) break;
        ++place;
      } else if (*at != spool::kLongBlockCode) {
        break;
      }
      at += 1 + id_bytes;
      extra_bytes += id_bytes;
    }
    at_ = at;
    place_ = place;
    first_index_ -= extra_bytes;
    return !is_over;
  }

  // The hot loop: blocks of a frame that something is asked of.
  void scan_frame() {
    ScanFrame& frame = frames_.back().frame;
    const ScanTables::Function& function = tables_[frame.paths];
    const std::uint32_t* const symbols = function.symbols.data();
    const std::uint32_t* const rows = rows_;
    const std::uint32_t final_row = function.final_row;
    const std::uint8_t* at = at_;
    const std::uint8_t* const end = end_;
    std::uint32_t row = frame.row;
    const bool counts_one = counts_all_ && function.has_one_final_state();
    std::uint64_t hits = 0;
    while (true) {
      if (counts_one) {
        // Where a path ends again and again cannot be foreseen, so no branch.
        while (at != end && is_short_block(*at)) {
          row = rows[row + symbols[*at++]];
          hits += row >= final_row ? 1 : 0;
        }
      }
      while (at != end && is_short_block(*at)) {
        row = rows[row + symbols[*at]];
        if (row >= final_row) [[unlikely]] {
          hit(function, frame.paths, row, index_of(at));
          if (findings_.stopped) break;
        }
        ++at;
      }
      // A large function has long blocks too; most take two bytes or three.
      if (end - at < 3 || *at != spool::kLongBlockCode) break;
      std::uint32_t number = at[1];
      std::ptrdiff_t number_bytes = 1;
      if (number >= 0x80) {
        if (at[2] >= 0x80) break;
        number = (number & 0x7f) | std::uint32_t{at[2]} << 7;
        number_bytes = 2;
      }
      row = rows[row + function.automaton->symbol_of(BlockId{number + spool::kFirstLongBlock})];
      if (row >= final_row) [[unlikely]] {
        hit(function, frame.paths, row, index_of(at));
        if (findings_.stopped) break;
      }
      at += 1 + number_bytes;
      first_index_ -= static_cast<std::uint64_t>(number_bytes);
    }
    at_ = at;
    frame.row = row;
    if (hits != 0) findings_.counts[function.first_state + function.state_of(final_row)] += hits;
  }

  void scan_opening() {
    while (at_ != end_ && is_short_block(*at_) && frames_.back().is_opening()) {
      take_block(*at_, index_of(at_));
      ++at_;
    }
    if (!frames_.back().is_opening()) scan_frame();
  }

  // Any block of a frame that something is asked of.
  void take_block(std::uint32_t block, std::uint64_t index) {
    AskedFrame& asked = frames_.back();
    const std::uint32_t paths = asked.paths();
    const ScanTables::Function& function = tables_[paths];
    const PathAutomaton::Symbol symbol = function.automaton->symbol_of(BlockId{block});
    asked.frame.row = rows_[asked.frame.row + symbol];
    if (!asked.is_opening()) {
      if (asked.frame.row >= function.final_row) hit(function, paths, asked.frame.row, index);
      return;
    }
    std::vector<Opening::Block>& blocks =
        findings_.openings[static_cast<std::size_t>(asked.place)].blocks;
    blocks.push_back({index, symbol});
    if (blocks.size() == function.longest) asked.frame.paths = paths;
  }

  void hit(const ScanTables::Function& function, std::uint32_t paths, std::uint32_t row,
           std::uint64_t index) {
    if (index < task_.bounds.from || index >= task_.bounds.to) return;
    const PathAutomaton::State state = function.state_of(row);
    if (task_.wish == Wish::count) {
      ++findings_.counts[function.first_state + state];
      return;
    }
    if (task_.wish != Wish::all) {
      if (seen_state_[function.first_state + state]) return;
      seen_state_[function.first_state + state] = true;
      for (const std::uint32_t path : function.automaton->found(state)) {
        const std::uint32_t query = tables_.asked()[paths].queries[path];
        if (!seen_query_[query]) --unseen_;
        seen_query_[query] = true;
      }
      findings_.stopped = unseen_ == 0;
    }
    findings_.hits.push_back({index, {paths, state}});
  }

  // An exit, an enter or a long block.
  void take_control() {
    const std::uint8_t code = *at_++;
    if (code == spool::kExitCode) {
      if (place_ == 0) throw Error("chunk closes more frames than its head says");
      if (frames_.back().place == place_) frames_.pop_back();
      --place_;
      return;
    }
    const std::uint8_t* const after_code = at_;
    const std::uint64_t number = take_number();
    const std::uint64_t index = index_of(after_code - 1);
    // Only the first byte of an event counts.
    first_index_ -= static_cast<std::uint64_t>(at_ - after_code);
    if (code == spool::kEnterCode && number < tables_.entered().size()) {
      const ScanFrame frame = tables_.entered()[number];
      ++place_;
      if (frame.paths != FrameStates::kNobody) frames_.push_back({place_, frame});
    } else if (code == spool::kLongBlockCode && number <= UINT32_MAX - spool::kFirstLongBlock) {
      if (frames_.back().place == place_) {
        take_block(static_cast<std::uint32_t>(number) + spool::kFirstLongBlock, index);
      }
    } else {
      throw_malformed();
    }
  }

  std::uint64_t take_number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35 && at_ != end_; shift += 7) {
      const std::uint8_t byte = *at_++;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw_malformed();
  }

  [[noreturn]] static void throw_malformed() { throw Error("chunk holds malformed events"); }

  void finish() {
    if (index_of(end_) - task_.first_event != task_.events) {
      throw Error("chunk's event count differs from its head's");
    }
    findings_.open.resize(static_cast<std::size_t>(place_) + 1);
    for (const AskedFrame& asked : std::span(frames_).subspan(1)) {
      // Only the frame below all that the chunk closes was there before and still is.
      const bool was_open = asked.place < static_cast<std::ptrdiff_t>(task_.entry.size());
      if (asked.is_opening() && was_open && asked.place > 0) {
        throw Error("chunk closes fewer frames than its head says");
      }
      const std::uint32_t paths = asked.paths();
      findings_.open[static_cast<std::size_t>(asked.place)] = {
          paths, tables_[paths].state_of(asked.frame.row)};
    }
  }

  const ScanTables& tables_;
  const ChunkTask& task_;
  const std::uint32_t* const rows_;
  const std::uint8_t* const begin_;
  const std::uint8_t* at_;
  const std::uint8_t* const end_;
  std::uint64_t first_index_;       // less the bytes so far that do not begin an event
  std::ptrdiff_t place_;            // of the running frame
  std::vector<AskedFrame> frames_;  // outermost first, after one that is nowhere
  ChunkFindings findings_;
  bool counts_all_ = false;  // Wish::count, and every occurrence is within the bounds
  std::vector<bool> seen_state_;
  std::vector<bool> seen_query_;
  std::uint64_t unseen_ = 0;
};

}  // namespace

ChunkFindings scan_chunk(const ScanTables& tables, const ChunkTask& task) {
  return Scanner(tables, task).scan();
}

}  // namespace pathspool::match
