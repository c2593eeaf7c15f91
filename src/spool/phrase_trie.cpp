#include "spool/phrase_trie.h"

#include <algorithm>
#include <utility>

namespace pathspool::spool {
namespace {

constexpr unsigned kCodeBits = 34;
constexpr std::uint64_t kRootKind = 3;  // beside the kinds of events

constexpr std::uint32_t kSingles = 4096;  // per kind of event

constexpr std::uint64_t code_of(std::uint64_t kind, std::uint64_t id) { return kind << 32 | id; }
constexpr Event event_of(std::uint64_t code) {
  return {static_cast<EventKind>(code >> 32), static_cast<std::uint32_t>(code)};
}

}  // namespace

PhraseTrie::PhraseTrie(Symbols symbols, trace::FrameStack entry)
    : symbols_(symbols),
      frames_(std::move(entry)),
      nodes_(1),
      slots_(1024),
      singles_(symbols == Symbols::blocks ? 3 * kSingles : 0, kUnnumbered) {}

std::size_t PhraseTrie::slot_of(std::uint64_t key) const {
  const std::uint64_t hash = key * 0x9e37'79b9'7f4a'7c15U;
  return static_cast<std::size_t>(hash >> 32) & (slots_.size() - 1);
}

PhraseTrie::NodeId PhraseTrie::child(NodeId parent, Code code) {
  const Node& node = nodes_[parent];
  return node.hot_code == code ? node.hot_child : child_by_lookup(parent, code);
}

PhraseTrie::NodeId PhraseTrie::child_by_lookup(NodeId parent, Code code) {
  const std::uint64_t key = std::uint64_t{parent} << kCodeBits | code;
  std::size_t at = slot_of(key);
  while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].key == 0) {
    slots_[at] = {key, static_cast<NodeId>(nodes_.size())};
    Node node;
    node.code = code;
    node.parent = parent;
    nodes_.push_back(node);
  }
  const NodeId found = slots_[at].child;
  nodes_[parent].hot_code = code;
  nodes_[parent].hot_child = found;
  if (2 * nodes_.size() > slots_.size()) grow();
  return found;
}

void PhraseTrie::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.key == 0) continue;
    std::size_t at = slot_of(slot.key);
    while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

void PhraseTrie::begin_phrase() {
  length_ = 0;
  // Function 0's root stands for "no function known" too, as number 0; functions count from 1.
  const auto running = symbols_ == Symbols::blocks ? std::nullopt : frames_.running();
  const std::size_t root = running ? static_cast<std::size_t>(*running) + 1 : 0;
  if (root >= roots_.size()) roots_.resize(root + 1, 0);
  if (roots_[root] == 0) roots_[root] = child(0, code_of(kRootKind, root));
  node_ = roots_[root];
}

void PhraseTrie::step(const Event& event) {
  if (length_ == 0) begin_phrase();
  node_ = child(node_, code_of(static_cast<std::uint64_t>(event.kind), event.id));
  ++length_;
}

void PhraseTrie::end_phrase(std::vector<std::uint32_t>& phrases) {
  std::uint32_t& phrase = nodes_[node_].phrase;
  if (phrase == kUnnumbered) {
    phrase = static_cast<std::uint32_t>(phrase_nodes_.size());
    phrase_nodes_.push_back(node_);
  }
  phrases.push_back(phrase);
  length_ = 0;
}

std::uint32_t PhraseTrie::single(const Event& event) {
  const bool small = event.id < kSingles;
  const std::size_t place = static_cast<std::size_t>(event.kind) * kSingles + event.id;
  if (small && singles_[place] != kUnnumbered) return singles_[place];
  std::vector<std::uint32_t> phrase;
  step(event);
  end_phrase(phrase);
  if (small) singles_[place] = phrase[0];
  return phrase[0];
}

void PhraseTrie::append(std::span<const Event> events, std::vector<std::uint32_t>& phrases) {
  if (symbols_ == Symbols::blocks) {
    for (const Event& event : events) phrases.push_back(single(event));
    return;
  }
  for (const Event& event : events) {
    if (event.kind == EventKind::block) {
      if (length_ > 0 && event.id <= last_block_) end_phrase(phrases);
      step(event);
      last_block_ = event.id;
      if (length_ == kLongestPhrase) end_phrase(phrases);
    } else {
      step(event);
      last_block_ = 0;
      frames_.apply(event);
      if (event.kind == EventKind::exit || length_ == kLongestPhrase) end_phrase(phrases);
    }
  }
}

void PhraseTrie::flush(std::vector<std::uint32_t>& phrases) {
  if (length_ > 0) end_phrase(phrases);
}

std::uint64_t PhraseTrie::memory_bytes() const {
  return nodes_.capacity() * sizeof(Node) + slots_.capacity() * sizeof(Slot) +
         (roots_.capacity() + singles_.capacity()) * sizeof(NodeId) +
         phrase_nodes_.capacity() * sizeof(NodeId);
}

PhraseTable PhraseTrie::table() const {
  PhraseTable table;
  std::vector<Event> phrase;
  for (NodeId node : phrase_nodes_) {
    phrase.clear();
    for (; nodes_[node].parent != 0; node = nodes_[node].parent) {
      phrase.push_back(event_of(nodes_[node].code));
    }
    std::ranges::reverse(phrase);
    const auto root = static_cast<std::uint32_t>(nodes_[node].code);
    table.add(root == 0 ? std::nullopt : std::optional(FunctionId{root - 1}), phrase);
  }
  return table;
}

}  // namespace pathspool::spool
