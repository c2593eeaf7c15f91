#include "playback/nodes.h"

#include <algorithm>
#include <limits>

#include "pathspool/error.h"

namespace pathspool::playback {
namespace {

// A free node asks for the event, and then, at the next site, for the function that is entered.
constexpr std::uint32_t kSitesOfFreeNode = 2;
constexpr std::size_t kMostNumbers = std::numeric_limits<std::uint32_t>::max() / 8;

bool only_returns(const Block& block) {
  return block.terminator == Terminator::returned && block.calls.empty();
}

}  // namespace

NodeTable::NodeTable(const FunctionTable& functions, std::size_t count)
    : existing_(functions.size()) {
  count = std::min(count, functions.size());
  Names names;
  std::size_t numbers = count;
  for (std::uint32_t id = 0; id < count; ++id) {
    const Function& function = functions[FunctionId{id}];
    names[function.name].push_back(id);
    for (const Block& block : function.blocks) {
      numbers += 1 + block.successors.size() + block.calls.size();
    }
  }
  if (numbers > kMostNumbers) throw Error("control-flow graphs of more than 2^29 blocks and calls");

  entries_.push_back(kLost);  // blocks count from 1
  append({.kind = NodeKind::free, .site = rare_sites(kSitesOfFreeNode)});
  append({.kind = NodeKind::unwinding});
  append({.kind = NodeKind::landing});
  append({.kind = NodeKind::second_return, .site = rare_sites(1)});
  rare_nodes_ = {kLost, kSecondReturn};
  functions_.resize(count);
  for (std::uint32_t id = 0; id < count; ++id) add_function(functions, id, names);
  for (const std::uint32_t node : rare_nodes_) nodes_[node].site += dense_sites_;
  sites_ = dense_sites_ + rare_count_;
  rare_nodes_ = {};
  last_seen_ = {};
}

std::uint32_t NodeTable::append(const Node& node) {
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t NodeTable::rare_sites(std::uint32_t count) {
  rare_count_ += count;
  return rare_count_ - count;
}

std::uint32_t NodeTable::dense_sites(std::uint32_t count) {
  dense_sites_ += count;
  return dense_sites_ - count;
}

void NodeTable::add_function(const FunctionTable& functions, std::uint32_t id, const Names& names) {
  const Function& function = functions[FunctionId{id}];
  FunctionNodes& its = functions_[id];
  if (function.blocks.empty()) {
    its.start = append({.kind = NodeKind::free, .site = rare_sites(kSitesOfFreeNode)});
    rare_nodes_.push_back(its.start);
    return;
  }
  its.base = static_cast<std::uint32_t>(entries_.size() - 1);
  its.blocks = static_cast<std::uint32_t>(function.blocks.size());
  its.start = append({.kind = NodeKind::jump, .first = its.base + 1});
  last_seen_.assign(function.blocks.size(), 0);
  for (const Block& block : function.blocks) {
    auto entry = static_cast<std::uint32_t>(nodes_.size());
    add_calls(function, id, block, names);
    add_end(function, id, block);
    if (nodes_[entry].kind == NodeKind::call_silent) ++entry;
    entries_.push_back(entry);
  }
}

void NodeTable::add_calls(const Function& function, std::uint32_t id, const Block& block,
                          const Names& names) {
  const std::size_t begin = nodes_.size();
  bool tail_may_be = false;
  for (const CallSite& call : block.calls) {
    tail_may_be = true;
    if (call.kind == CallKind::indirect) {
      add_call(NodeKind::call_fresh, dense_sites(1), 0);
      continue;
    }
    if (call.callee.find("setjmp") != call.callee.npos) functions_[id].returns_twice = true;
    const auto named = names.find(call.callee);
    if (named == names.end()) {
      // Neighbours need no telling apart.
      tail_may_be = false;
      if (nodes_.size() > begin && nodes_.back().kind == NodeKind::call_silent) continue;
      if (nodes_.size() > begin) ++nodes_.back().second;
      rare_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      add_call(NodeKind::call_silent, rare_sites(1), static_cast<std::uint32_t>(entries_.size()));
      nodes_.back().call = Call::outside;
      continue;
    }
    // Functions of one module have ids close together.
    const std::vector<std::uint32_t>& same = named->second;
    const auto distance = [id](std::uint32_t other) {
      return other < id ? id - other : other - id;
    };
    const std::uint32_t callee =
        call.kind == CallKind::external
            ? same.front()
            : *std::ranges::min_element(same, std::ranges::less{}, distance);
    rare_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    add_call(NodeKind::call, rare_sites(1), callee);
  }
  if (tail_may_be) add_tail(function, id, block);
}

void NodeTable::add_call(NodeKind kind, std::uint32_t site, std::uint32_t callee) {
  const auto next = static_cast<std::uint32_t>(nodes_.size() + 1);
  append({.kind = kind, .site = site, .first = callee, .second = next});
}

void NodeTable::add_tail(const Function& function, std::uint32_t id, const Block& block) {
  const bool returns = block.terminator == Terminator::returned;
  std::uint32_t target = 0;
  if (!returns) {
    if (block.terminator != Terminator::jump || block.successors.size() != 1) return;
    const Block* next = function.block(block.successors[0]);
    if (next == nullptr || !only_returns(*next)) return;
    target = functions_[id].base + static_cast<std::uint32_t>(block.successors[0]);
  }
  const auto at = static_cast<std::uint32_t>(nodes_.size() - 1);
  const Node call = nodes_[at];
  const bool fresh = call.kind == NodeKind::call_fresh;
  if (!fresh) rare_nodes_.push_back(at + 1);
  append({.kind = fresh ? NodeKind::after_exit_fresh : NodeKind::after_exit,
          .site = call.site,
          .first = call.first});
  append({.kind = NodeKind::exit_then, .first = at + 1});
  if (!returns) append({.kind = NodeKind::jump_then, .first = target, .second = at + 2});
  nodes_[at].call = returns ? Call::before_return : Call::before_jump;
  nodes_[at].second = static_cast<std::uint32_t>(nodes_.size());
  if (fresh) {
    nodes_[at].kind = NodeKind::redirect;
    nodes_[at].first = tail_of(nodes_[at], at);
  }
}

void NodeTable::add_end(const Function& function, std::uint32_t id, const Block& block) {
  const std::uint32_t base = functions_[id].base;
  const auto begin = static_cast<std::uint32_t>(successors_.size());
  for (const BlockId successor : block.successors) {
    if (function.block(successor) == nullptr) continue;
    const auto number = static_cast<std::uint32_t>(successor);
    if (last_seen_[number - 1] == entries_.size()) continue;
    last_seen_[number - 1] = static_cast<std::uint32_t>(entries_.size());
    successors_.push_back(base + number);
  }
  const auto count = static_cast<std::uint32_t>(successors_.size() - begin);
  const bool unwinds =
      block.terminator == Terminator::unreachable || block.terminator == Terminator::resumed;
  Node node{.kind = unwinds ? NodeKind::exit_unwinding : NodeKind::exit};
  if (count == 1) {
    node = {.kind = NodeKind::jump, .first = successors_[begin]};
  } else if (count == 2 && (block.terminator == Terminator::conditional ||
                            block.terminator == Terminator::invoke)) {
    const bool invoke = block.terminator == Terminator::invoke;
    node.kind = invoke ? NodeKind::invoke : NodeKind::conditional;
    node.site = invoke ? rare_sites(1) : dense_sites(1);
    if (invoke) rare_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    node.first = successors_[begin];
    node.second = successors_[begin + 1];
  } else if (count > 1) {
    const bool computed = block.terminator == Terminator::indirect;
    node = {.kind = computed ? NodeKind::computed : NodeKind::choice,
            .site = dense_sites(computed ? 1 : count - 1),
            .first = begin,
            .second = count};
  }
  if (node.kind == NodeKind::choice || node.kind == NodeKind::computed) {
    add_ranks(node);
  } else {
    successors_.resize(begin);
  }
  append(node);
}

void NodeTable::add_ranks(const Node& node) {
  ranks_.resize(successors_.size());
  const auto begin = successors_.begin() + node.first;
  const auto [lowest, highest] = std::minmax_element(begin, successors_.end());
  const std::uint32_t width = *highest - *lowest + 1;
  if (width / 16 > node.second) return;
  Ranks& ranks = ranks_[node.first];
  ranks = {*lowest, static_cast<std::uint32_t>(rank_of_.size()), width};
  rank_of_.resize(rank_of_.size() + width, node.second);
  for (std::uint32_t i = 0; i < node.second; ++i) {
    rank_of_[ranks.offset + successors_[node.first + i] - ranks.lowest] = i;
  }
}

std::uint32_t NodeTable::index_of(const Node& node, std::uint64_t block) const {
  const Ranks& ranks = ranks_[node.first];
  if (ranks.width > 0) {
    const std::uint64_t place = block - ranks.lowest;
    return place < ranks.width ? rank_of_[ranks.offset + place] : node.second;
  }
  const auto begin = successors_.begin() + node.first;
  return static_cast<std::uint32_t>(std::find(begin, begin + node.second, block) - begin);
}

}  // namespace pathspool::playback
