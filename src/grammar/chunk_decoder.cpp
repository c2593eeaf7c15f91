#include "grammar/chunk_decoder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/range_decoder.h"
#include "grammar/grammar_model.h"
#include "pathspool/error.h"

namespace pathspool::grammar {
namespace {

// Of the chance that a terminal follows another, remembered for pairs that were asked for: the
// search among the followers of a terminal takes longer.
class KnownShares {
 public:
  explicit KnownShares(const FollowTable& table) : table_(table) {}

  [[nodiscard]] const Share& share(std::uint32_t context, std::uint32_t terminal) {
    Known& known = known_[(context * 0x9e37'79b1U + terminal * 0x85eb'ca6bU) >> (32 - kBits)];
    if (known.context != context || known.terminal != terminal) [[unlikely]] {
      known = {context, terminal, table_.share(context, terminal)};
    }
    return known.share;
  }

 private:
  static constexpr unsigned kBits = 10;
  struct Known {
    std::uint32_t context = UINT32_MAX;
    std::uint32_t terminal = UINT32_MAX;
    Share share;
  };
  const FollowTable& table_;
  std::array<Known, std::size_t{1} << kBits> known_{};
};

class Chunk {
 public:
  Chunk(const SymbolTable& table, const StoredChunkView& stored)
      : table_(table),
        expected_(stored.measure),
        context_(table.start()),
        range_(after_head(stored)),
        candidates_(table.terminal_count()),
        symbols_(stored.symbol_count) {
    look_at_top();
  }

  [[nodiscard]] bool is_done() const { return done_ == symbols_.size(); }

  // Takes symbols from the stack, up to one that is not: whether there is one.
  bool pass_new(KnownShares& shares) {
    if (pending_) take(key_ == 0 ? first_ : rule_symbol(key_ - 1));
    while (!is_done()) {
      if (unused_ != 0 && range_.bit(is_new_.flag(shares.share(context_, top_first_)))) {
        take(rule_symbol(limit_ - 1));
        --unused_;
        look_at_top();
        continue;
      }
      return true;
    }
    return false;
  }

  void find_first_point() {
    const FollowTable& follow = table_.follow();
    const std::uint32_t total = follow.total(context_);
    if (total == 0) throw Error("the grammar has a terminal that nothing can follow");
    point_ = static_cast<std::uint32_t>(range_.find_share(total, follow.reciprocal(context_)));
  }

  void find_first() {
    const auto found = table_.follow().find(context_, point_);
    range_.take_share(found.share.begin, found.share.size);
    first_ = found.terminal;
  }

  void find_point() {
    const Group& group = table_.group(first_);
    Candidates& candidates = candidates_[first_];
    if (candidates.last_key > limit_ || candidates.count == 0) {
      // Their number only falls, as the stack does.
      if (candidates.count == 0) candidates.count = group.candidates(limit_);
      while (group.key(candidates.count - 1) > limit_) --candidates.count;  // the terminal's is 0
      candidates.last_key = group.key(candidates.count - 1);
      candidates.total = group.total(candidates.count);
      candidates.reciprocal = base::reciprocal_of(candidates.total);
    }
    if (candidates.total == 0) throw Error("the grammar refers to a symbol that does not exist");
    point_ = static_cast<std::uint32_t>(range_.find_share(candidates.total, candidates.reciprocal));
    group.ask_for_mark(point_);
  }

  void find_mark() { mark_ = table_.group(first_).mark(point_); }

  void find_symbol() {
    const Group& group = table_.group(first_);
    const std::size_t index = group.find_from(mark_, point_);
    const Share share = group.share(index, index + 1);
    range_.take_share(share.begin, share.size);
    key_ = group.key(index);
    if (key_ != 0) table_.ask_for_last(key_ - 1);
    pending_ = true;
  }

  [[nodiscard]] std::vector<Symbol> finish() {
    if (range_.failed()) throw Error("a chunk of the grammar is cut short");
    constexpr std::size_t kAhead = 16;
    Measure sum;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (i + kAhead < symbols_.size()) table_.ask_for_measure(symbols_[i + kAhead]);
      sum = concat(sum, table_.measure(symbols_[i]));
    }
    if (sum != expected_) {
      throw Error("a chunk of the grammar does not derive the events it should");
    }
    return std::move(symbols_);
  }

 private:
  // Of a terminal's group: those that may come.
  struct Candidates {
    std::size_t count = 0;  // not known yet
    std::uint32_t last_key = 0;
    std::uint32_t total = 0;
    std::uint64_t reciprocal = 0;
  };

  [[nodiscard]] base::ByteView after_head(const StoredChunkView& stored) {
    if (stored.symbol_count > kMostSymbolsPerByte * stored.bytes.size()) {
      throw Error("the grammar claims more than its bytes can hold");
    }
    base::ByteReader head(stored.bytes);
    unused_ = head.varint();
    if (head.failed() || unused_ > table_.unused().size()) {
      throw Error("a chunk of the grammar starts after unknown rules");
    }
    return stored.bytes.subspan(head.at());
  }

  void take(Symbol symbol) {
    symbols_[done_++] = symbol;
    context_ = table_.last(symbol);
    pending_ = false;
  }

  void look_at_top() {
    limit_ = unused_ == 0 ? 0 : table_.unused()[unused_ - 1] + 1;
    if (unused_ != 0) top_first_ = table_.first(rule_symbol(limit_ - 1));
  }

  const SymbolTable& table_;
  Measure expected_;
  std::uint64_t unused_ = 0;     // of the table's stack, so many are left
  std::uint32_t limit_ = 0;      // rules below this one may come
  std::uint32_t top_first_ = 0;  // the first terminal of the stack's top
  std::uint32_t context_;
  bool pending_ = false;  // a symbol has been found and not been taken
  std::uint32_t first_ = 0;
  std::uint32_t key_ = 0;
  std::uint32_t point_ = 0;
  std::size_t mark_ = 0;
  base::RangeDecoder range_;
  NewRuleModel is_new_;
  std::vector<Candidates> candidates_;  // by first terminal
  std::vector<Symbol> symbols_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<std::vector<Symbol>> ChunkDecoder::decode(
    std::span<const StoredChunkView> chunks) const {
  std::vector<Chunk> all;
  all.reserve(chunks.size());
  for (const StoredChunkView& chunk : chunks) all.emplace_back(table_, chunk);
  std::vector<Chunk*> active;
  for (Chunk& chunk : all) active.push_back(&chunk);
  const auto shares = std::make_unique<KnownShares>(table_.follow());
  while (!active.empty()) {
    std::erase_if(active, [&](Chunk* chunk) { return !chunk->pass_new(*shares); });
    for (Chunk* chunk : active) chunk->find_first_point();
    for (Chunk* chunk : active) chunk->find_first();
    for (Chunk* chunk : active) chunk->find_point();
    for (Chunk* chunk : active) chunk->find_mark();
    for (Chunk* chunk : active) chunk->find_symbol();
  }
  std::vector<std::vector<Symbol>> decoded;
  decoded.reserve(all.size());
  for (Chunk& chunk : all) decoded.push_back(chunk.finish());
  return decoded;
}

}  // namespace pathspool::grammar
