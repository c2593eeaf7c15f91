#include "playback/walk.h"

namespace pathspool::playback {
namespace {

// How often a node may be wrong before it asks each time. A surprise costs about four bytes, a
// question that always has the same answer nearly nothing, but time.
constexpr unsigned kSurprisesOfCall = 2;
constexpr unsigned kSurprisesOfOutside = 3;
constexpr unsigned kSurprisesOfInvoke = 3;

bool surprised(Node& node, unsigned limit) {
  if (node.surprises < limit) ++node.surprises;
  return node.surprises >= limit;
}

bool is_unwinding(NodeKind kind) {
  return kind >= NodeKind::unwinding && kind <= NodeKind::second_return;
}

bool is_after_exit(NodeKind kind) {
  return kind >= NodeKind::after_exit && kind <= NodeKind::after_exit_silent;
}

}  // namespace

Walk::Walk(const NodeTable& table, std::span<const FunctionId> open_frames)
    : table_(table), nodes_(table.nodes()), entries_(table.entries()) {
  for (const FunctionId function : open_frames) {
    enter(static_cast<std::uint32_t>(function), at_);
    at_ = NodeTable::kLost;
  }
}

void Walk::answer(std::uint32_t target) {
  Node& node = nodes_[at_];
  const bool enters = target != kEntersNothing;
  std::uint32_t then = node.second;
  switch (node.kind) {
    case NodeKind::call_fresh:
      node.kind = enters ? NodeKind::call : NodeKind::redirect;
      node.first = enters ? target - 1 : node.second;
      break;
    case NodeKind::call_back:
      if (enters) then = at_;
      break;
    case NodeKind::after_exit_fresh:
      node.kind = enters ? NodeKind::after_exit : NodeKind::after_exit_silent;
      node.first = target - 1;
      then = resumed_;
      break;
    case NodeKind::after_exit_asked:
      then = resumed_;
      break;
    default:  // call_asked
      break;
  }
  if (enters) {
    enter(target - 1, then);
  } else {
    at_ = then;
  }
}

void Walk::follow(const Event& event) {
  switch (event.kind) {
    case EventKind::enter:
      enter(event.id, at_);
      return;
    case EventKind::exit:
      exit();
      return;
    case EventKind::block:
      break;
  }
  if (event.id > 0 && event.id <= table_.blocks_of(function_)) {
    at_ = entries_[base_ + event.id];
  } else if (table_.blocks_of(function_) > 0) {
    at_ = NodeTable::kLost;
  }
}

void Walk::surprise(const Event& event) {
  Node& node = nodes_[at_];
  if (is_unwinding(node.kind)) {
    at_ = resumed_;
    if (event.kind == EventKind::exit) {
      exit_unwinding();
    } else {
      follow(event);
    }
    return;
  }
  if (is_after_exit(node.kind)) {
    const bool learned = surprised(node, kSurprisesOfCall);
    if (learned) {
      node.kind = NodeKind::after_exit_asked;
    } else if (event.kind == EventKind::enter) {
      node.kind = NodeKind::after_exit;
      node.first = event.id;
    } else {
      node.kind = NodeKind::after_exit_silent;
    }
    at_ = resumed_;
    follow(event);
    return;
  }
  switch (event.kind) {
    case EventKind::enter:
      surprising_enter(event.id);
      return;
    case EventKind::exit:
      surprising_exit();
      return;
    case EventKind::block:
      surprising_block(event.id);
      return;
  }
}

void Walk::surprising_enter(std::uint32_t function) {
  std::uint32_t then = at_;
  Node& node = nodes_[at_];
  Node* const before =
      at_ > 0 && nodes_[at_ - 1].call == Call::outside ? &nodes_[at_ - 1] : nullptr;
  if (before != nullptr && before->kind == NodeKind::call_silent) {
    wake(at_ - 1);
    before->first = function;
    learn(*before, NodeKind::call);
  } else if (before != nullptr && before->kind != NodeKind::call_back) {
    // It has called back already, or so it was thought.
    learn(*before, before->kind);
    if (before->kind == NodeKind::call_back) then = at_ - 1;
  } else if (node.kind == NodeKind::call || node.kind == NodeKind::redirect) {
    // It enters something else or, a redirect, something at all, and is no tail call.
    node.first = function;
    learn(node, NodeKind::call);
    then = node.kind == NodeKind::call_back ? at_ : node.second;
  }
  enter(function, then);
}

// The call is of that kind, it seems, if there were not too many surprises.
void Walk::learn(Node& call, NodeKind kind) {
  const bool outside = call.call == Call::outside;
  call.kind = kind;
  if (surprised(call, outside ? kSurprisesOfOutside : kSurprisesOfCall)) {
    call.kind = outside ? NodeKind::call_back : NodeKind::call_asked;
  }
}

// From now on what comes before the silent call leads to it.
void Walk::wake(std::uint32_t silent) {
  Node& before = nodes_[silent - 1];
  const bool same_block = before.kind >= NodeKind::call && before.kind <= NodeKind::redirect;
  if (!same_block) {
    entries_[nodes_[silent].first] = silent;
    return;
  }
  before.second = silent;
  if (before.kind == NodeKind::redirect && before.first == silent + 1) before.first = silent;
}

void Walk::surprising_exit() {
  Node& node = nodes_[at_];
  if (node.kind == NodeKind::call) {
    const std::uint32_t call = at_;
    if (node.call == Call::before_return) {
      node.kind = NodeKind::redirect;
      node.first = tail_of(node, at_);
      exit_then(call + 1);
      return;
    }
    if (nodes_[node.second].kind == NodeKind::exit) {
      enters_nothing(node);
      exit();
      return;
    }
  }
  exit_unwinding();
}

void Walk::enters_nothing(Node& call) {
  learn(call, NodeKind::redirect);
  call.first = call.second;
}

void Walk::surprising_block(std::uint32_t id) {
  const std::uint64_t global = base_ + id;
  Node& node = nodes_[at_];
  if (node.kind == NodeKind::call) {
    if (node.call == Call::before_jump && global == nodes_[at_ + 3].first) {
      node.kind = NodeKind::redirect;
      node.first = tail_of(node, at_);
      at_ += 2;
      return;
    }
    if (leads_to(node.second, global)) enters_nothing(node);
  } else if (node.kind == NodeKind::invoke && global == node.second) {
    if (surprised(node, kSurprisesOfInvoke)) node.kind = NodeKind::invoke_asked;
  }
  follow(Event::block(BlockId{id}));
}

bool Walk::leads_to(std::uint32_t node, std::uint64_t global) const {
  const Node& end = nodes_[node];
  switch (end.kind) {
    case NodeKind::jump:
      return end.first == global;
    case NodeKind::conditional:
    case NodeKind::invoke:
    case NodeKind::invoke_asked:
      return end.first == global || end.second == global;
    case NodeKind::choice:
    case NodeKind::computed:
      return table_.index_of(end, global) < end.second;
    default:
      return false;
  }
}

}  // namespace pathspool::playback
