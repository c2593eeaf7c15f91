#include "match/path_automaton.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "pathspool/error.h"

namespace pathspool::match {
namespace {

using State = PathAutomaton::State;
using Symbol = PathAutomaton::Symbol;
using Steps = PathAutomaton::Steps;

constexpr State kNone = std::numeric_limits<State>::max();
// Ids up to this have an entry of their own in a flat array.
constexpr std::uint32_t kLargestFlatBlock = 4095;

// Which step, of all paths, each block may be: blocks with the same list are one symbol.
using Uses = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// The paths as a trie whose edges are sets of symbols. Node 0 is the root.
struct Trie {
  struct Edge {
    Symbol symbol = 0;
    std::uint32_t child = 0;
  };
  std::vector<std::vector<Edge>> edges;           // by node, one for each symbol of a step
  std::vector<std::vector<std::uint32_t>> paths;  // by node: those that end there
};

Trie trie_of(std::span<const Steps> paths,
             const std::unordered_map<std::uint32_t, Symbol>& symbols) {
  Trie trie;
  trie.edges.emplace_back();
  trie.paths.emplace_back();
  std::map<std::pair<std::uint32_t, std::vector<Symbol>>, std::uint32_t> children;
  for (std::uint32_t path = 0; path < paths.size(); ++path) {
    std::uint32_t node = 0;
    for (const std::vector<BlockId>& step : paths[path]) {
      std::vector<Symbol> set;
      for (const BlockId block : step) set.push_back(symbols.at(static_cast<std::uint32_t>(block)));
      std::ranges::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      const auto fresh = static_cast<std::uint32_t>(trie.edges.size());
      const auto [at, is_new] = children.try_emplace({node, set}, fresh);
      if (is_new) {
        for (const Symbol symbol : set) trie.edges[node].push_back({symbol, fresh});
        trie.edges.emplace_back();
        trie.paths.emplace_back();
      }
      node = at->second;
    }
    trie.paths[node].push_back(path);
  }
  return trie;
}

// An automaton whose states are in no particular order yet, kStart aside.
struct Draft {
  std::vector<State> table;                       // rows of transitions
  std::vector<std::vector<std::uint32_t>> found;  // by state: the paths that end there
};

[[noreturn]] void throw_too_large() {
  throw Error("the paths of one function are too many or too long to be searched at once");
}

// For steps of single blocks. A state is a node: the longest prefix of a path that what was read
// ends with.
Draft aho_corasick(const Trie& trie, std::uint32_t symbols) {
  const std::size_t nodes = trie.edges.size();
  if (nodes * symbols > PathAutomaton::kMostEntries) throw_too_large();
  Draft draft{std::vector<State>(nodes * symbols, PathAutomaton::kStart), trie.paths};
  std::vector<std::uint32_t> suffix(nodes, 0);  // the longest that is a node too
  std::vector<std::uint32_t> order = {0};       // by length
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t node = order[i];
    State* const row = draft.table.data() + std::size_t{node} * symbols;
    if (node != 0) {
      const State* const other = draft.table.data() + std::size_t{suffix[node]} * symbols;
      std::copy(other, other + symbols, row);
      const std::vector<std::uint32_t>& more = draft.found[suffix[node]];
      draft.found[node].insert(draft.found[node].end(), more.begin(), more.end());
    }
    for (const Trie::Edge& edge : trie.edges[node]) {
      suffix[edge.child] = node == 0 ? 0 : row[edge.symbol];
      row[edge.symbol] = edge.child;
      order.push_back(edge.child);
    }
  }
  return draft;
}

// The subset construction: a state is the set of nodes that what was read may end in, the root
// aside.
class Determinizer {
 public:
  Determinizer(const Trie& trie, std::uint32_t symbols) : trie_(trie), targets_(symbols) {
    static_cast<void>(state_of({}));
    for (State state = 0; state < sets_.size(); ++state) add_row(state);
  }

  [[nodiscard]] Draft take() {
    Draft draft{std::move(table_), std::vector<std::vector<std::uint32_t>>(sets_.size())};
    for (State state = 0; state < sets_.size(); ++state) {
      for (const std::uint32_t node : *sets_[state]) {
        draft.found[state].insert(draft.found[state].end(), trie_.paths[node].begin(),
                                  trie_.paths[node].end());
      }
    }
    return draft;
  }

 private:
  // In all sets together: a few steps can make any number of sets.
  static constexpr std::size_t kMostNodes = std::size_t{1} << 22;

  void add_row(State state) {
    used_.clear();
    collect(0);
    for (const std::uint32_t node : *sets_[state]) collect(node);
    const std::size_t row = table_.size();
    table_.resize(row + targets_.size(), PathAutomaton::kStart);
    for (const Symbol symbol : used_) {
      std::vector<std::uint32_t>& nodes = targets_[symbol];
      std::ranges::sort(nodes);
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      table_[row + symbol] = state_of(nodes);
      nodes.clear();
    }
  }

  void collect(std::uint32_t node) {
    for (const Trie::Edge& edge : trie_.edges[node]) {
      if (targets_[edge.symbol].empty()) used_.push_back(edge.symbol);
      targets_[edge.symbol].push_back(edge.child);
    }
  }

  State state_of(const std::vector<std::uint32_t>& nodes) {
    const auto [at, is_new] = numbers_.try_emplace(nodes, static_cast<State>(sets_.size()));
    if (is_new) {
      sets_.push_back(&at->first);
      nodes_ += nodes.size() + 1;
      const std::size_t entries = sets_.size() * targets_.size();
      if (nodes_ > kMostNodes || entries > PathAutomaton::kMostEntries) throw_too_large();
    }
    return at->second;
  }

  const Trie& trie_;
  std::map<std::vector<std::uint32_t>, State> numbers_;
  std::vector<const std::vector<std::uint32_t>*> sets_;  // by state
  std::vector<State> table_;
  std::vector<std::vector<std::uint32_t>> targets_;  // by symbol, of the row under way
  std::vector<Symbol> used_;
  std::size_t nodes_ = 0;
};

}  // namespace

PathAutomaton::PathAutomaton(std::span<const Steps> paths) {
  Uses uses;
  std::uint32_t step_number = 0;
  for (const Steps& path : paths) {
    longest_ = std::max(longest_, static_cast<std::uint32_t>(path.size()));
    for (const std::vector<BlockId>& step : path) {
      // A step of one block tells nothing else apart: equal ones need no number of their own.
      const bool alone = step.size() == 1;
      if (!alone) ++step_number;
      for (const BlockId block : step) {
        std::vector<std::uint32_t>& list = uses[static_cast<std::uint32_t>(block)];
        const std::uint32_t use = alone ? 0 : step_number;
        if (list.empty() || (use != 0 && list.back() != use)) list.push_back(use);
        if (use == 0 && list.front() != 0) list.insert(list.begin(), 0);
      }
    }
  }
  // A block that is a step alone is its own symbol; others share one if their lists are equal.
  std::unordered_map<std::uint32_t, Symbol> symbols;
  std::map<std::vector<std::uint32_t>, Symbol> by_uses;
  for (const auto& [block, list] : uses) {
    Symbol symbol = symbols_;
    if (list.front() != 0) symbol = by_uses.try_emplace(list, symbols_).first->second;
    if (symbol == symbols_) ++symbols_;
    symbols.emplace(block, symbol);
  }
  const std::uint32_t largest = uses.empty() ? 0 : uses.rbegin()->first;
  symbol_of_.resize(std::clamp(largest, kSmallestFlatBlocks - 1, kLargestFlatBlock) + 1, kOther);
  for (const auto& [block, list] : uses) {
    if (block < symbol_of_.size()) {
      symbol_of_[block] = symbols.at(block);
    } else {
      large_blocks_.push_back({block, symbols.at(block)});
    }
  }

  const Trie trie = trie_of(paths, symbols);
  Draft draft =
      step_number == 0 ? aho_corasick(trie, symbols_) : Determinizer(trie, symbols_).take();
  std::vector<std::vector<std::uint32_t>>& found = draft.found;
  for (std::vector<std::uint32_t>& list : found) std::ranges::sort(list);
  states_ = static_cast<std::uint32_t>(found.size());
  // States in which a path ends come last, so that a comparison tells them.
  std::vector<State> order;  // new to old
  for (const bool final : {false, true}) {
    for (State state = 0; state < states_; ++state) {
      if (found[state].empty() != final) order.push_back(state);
    }
    if (!final) first_final_ = static_cast<State>(order.size());
  }
  std::vector<State> number(states_, kNone);  // old to new
  for (State state = 0; state < states_; ++state) number[order[state]] = state;
  table_.reserve(draft.table.size());
  found_begin_.push_back(0);
  for (const State old : order) {
    for (Symbol symbol = 0; symbol < symbols_; ++symbol) {
      table_.push_back(number[draft.table[std::size_t{old} * symbols_ + symbol]]);
    }
    found_.insert(found_.end(), found[old].begin(), found[old].end());
    found_begin_.push_back(static_cast<std::uint32_t>(found_.size()));
  }
}

PathAutomaton::Symbol PathAutomaton::symbol_of_large(std::uint32_t block) const {
  const auto at = std::ranges::lower_bound(large_blocks_, block, {}, &LargeBlock::block);
  return at == large_blocks_.end() || at->block != block ? kOther : at->symbol;
}

}  // namespace pathspool::match
