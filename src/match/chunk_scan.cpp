#include "match/chunk_scan.h"

#include <bit>
#include <cstring>

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
        first_index_(task.first_event) {
    findings_.openings.resize(task.entry.size());
    for (const std::uint32_t paths : task.entry) {
      const bool nobodys = paths == FrameStates::kNobody;
      stack_.push_back(
          nobodys ? ScanFrame{}
                  : ScanFrame{tables[paths].row_of(PathAutomaton::kStart), paths | kOpeningBit});
    }
    top_ = stack_.size() - 1;
    stack_.resize(stack_.size() + 64);
    if (task.wish == Wish::count) findings_.counts.resize(tables.states());
    if (task.wish == Wish::first || task.wish == Wish::exists) {
      seen_state_.resize(tables.states());
      for (const FunctionPaths& paths : tables.asked()) {
        for (const std::uint32_t query : paths.queries) {
          if (query >= seen_query_.size()) seen_query_.resize(query + 1, true);
          if (seen_query_[query]) ++unseen_;
          seen_query_[query] = false;
        }
      }
    }
  }

  ChunkFindings scan() {
    while (at_ != end_ && !findings_.stopped) {
      const ScanFrame frame = stack_[top_];
      if (frame.paths == FrameStates::kNobody) {
        at_ = after_short_blocks(at_, end_);
      } else if ((frame.paths & kOpeningBit) != 0) {
        scan_opening();
      } else {
        scan_frame(frame);
      }
      if (at_ != end_ && !findings_.stopped) take_control();
    }
    if (!findings_.stopped) finish();
    return std::move(findings_);
  }

 private:
  [[nodiscard]] std::uint64_t index_of(const std::uint8_t* byte) const {
    return first_index_ + static_cast<std::uint64_t>(byte - begin_);
  }

  // The hot loop: blocks of a frame that something is asked of.
  void scan_frame(ScanFrame frame) {
    const ScanTables::Function& function = tables_[frame.paths];
    const std::uint32_t* const symbols = function.symbols.data();
    const std::uint32_t* const rows = rows_;
    const std::uint32_t final_row = function.final_row;
    const std::uint8_t* at = at_;
    const std::uint8_t* const end = end_;
    std::uint32_t row = frame.row;
    while (at != end && is_short_block(*at)) {
      row = rows[row + symbols[*at]];
      if (row >= final_row) [[unlikely]] {
        hit(function, frame.paths, row, index_of(at));
        if (findings_.stopped) break;
      }
      ++at;
    }
    at_ = at;
    stack_[top_].row = row;
  }

  void scan_opening() {
    while (at_ != end_ && is_short_block(*at_) && (stack_[top_].paths & kOpeningBit) != 0) {
      take_block(*at_, index_of(at_));
      ++at_;
    }
    if ((stack_[top_].paths & kOpeningBit) == 0) scan_frame(stack_[top_]);
  }

  // Any block of a frame that something is asked of.
  void take_block(std::uint32_t block, std::uint64_t index) {
    ScanFrame& frame = stack_[top_];
    const std::uint32_t paths = frame.paths & ~kOpeningBit;
    const ScanTables::Function& function = tables_[paths];
    const PathAutomaton::Symbol symbol = function.automaton->symbol_of(BlockId{block});
    frame.row = rows_[frame.row + symbol];
    if ((frame.paths & kOpeningBit) == 0) {
      if (frame.row >= function.final_row) hit(function, paths, frame.row, index);
      return;
    }
    std::vector<Opening::Block>& blocks = findings_.openings[top_].blocks;
    blocks.push_back({index, symbol});
    if (blocks.size() == function.longest) frame.paths = paths;
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
      if (top_ == 0) throw Error("chunk closes more frames than its head says");
      --top_;
      return;
    }
    const std::uint8_t* const after_code = at_;
    const std::uint64_t number = take_number();
    const std::uint64_t index = index_of(after_code - 1);
    // Only the first byte of an event counts.
    first_index_ -= static_cast<std::uint64_t>(at_ - after_code);
    if (code == spool::kEnterCode && number < tables_.entered().size()) {
      if (++top_ == stack_.size()) stack_.resize(2 * stack_.size());
      stack_[top_] = tables_.entered()[number];
    } else if (code == spool::kLongBlockCode && number <= UINT32_MAX - spool::kFirstLongBlock) {
      if (stack_[top_].paths != FrameStates::kNobody) {
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
    findings_.open.reserve(top_ + 1);
    for (std::size_t i = 0; i <= top_; ++i) {
      FrameStates::Frame frame{stack_[i].paths};
      if (frame.paths != FrameStates::kNobody) {
        // Still in its opening: only the frame that no chunk's exit reached may be.
        if ((frame.paths & kOpeningBit) != 0 && i > 0) {
          throw Error("chunk closes fewer frames than its head says");
        }
        frame.paths &= ~kOpeningBit;
        frame.state = tables_[frame.paths].state_of(stack_[i].row);
      }
      findings_.open.push_back(frame);
    }
  }

  const ScanTables& tables_;
  const ChunkTask& task_;
  const std::uint32_t* const rows_;
  const std::uint8_t* const begin_;
  const std::uint8_t* at_;
  const std::uint8_t* const end_;
  std::uint64_t first_index_;  // less the bytes so far that do not begin an event
  std::vector<ScanFrame> stack_;
  std::size_t top_ = 0;
  ChunkFindings findings_;
  std::vector<bool> seen_state_;
  std::vector<bool> seen_query_;
  std::uint64_t unseen_ = 0;
};

}  // namespace

ChunkFindings scan_chunk(const ScanTables& tables, const ChunkTask& task) {
  return Scanner(tables, task).scan();
}

}  // namespace pathspool::match
