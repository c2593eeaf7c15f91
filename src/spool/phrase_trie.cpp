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

inline PhraseTrie::NodeId PhraseTrie::child(NodeId parent, Code code) {
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

PhraseTrie::NodeId PhraseTrie::root() {
  // Number 0 is "no function known"; function f is number f + 1.
  const auto running = symbols_ == Symbols::blocks ? std::nullopt : frames_.running();
  const std::size_t number = running ? static_cast<std::size_t>(*running) + 1 : 0;
  if (number >= roots_.size()) roots_.resize(number + 1, 0);
  if (roots_[number] == 0) roots_[number] = child(0, code_of(kRootKind, number));
  return roots_[number];
}

inline void PhraseTrie::step(Place& place, const Event& event) {
  if (place.length == 0) place.node = root();
  place.node = child(place.node, code_of(static_cast<std::uint64_t>(event.kind), event.id));
  ++place.length;
}

inline void PhraseTrie::end_phrase(Place& place, std::vector<std::uint32_t>& phrases) {
  std::uint32_t& phrase = nodes_[place.node].phrase;
  if (phrase == kUnnumbered) {
    phrase = static_cast<std::uint32_t>(phrase_nodes_.size());
    phrase_nodes_.push_back(place.node);
  }
  phrases.push_back(phrase);
  place.length = 0;
}

std::uint32_t PhraseTrie::single(const Event& event) {
  const bool small = event.id < kSingles;
  const std::size_t place = static_cast<std::size_t>(event.kind) * kSingles + event.id;
  if (small && singles_[place] != kUnnumbered) return singles_[place];
  std::vector<std::uint32_t> phrase;
  step(place_, event);
  end_phrase(place_, phrase);
  if (small) singles_[place] = phrase[0];
  return phrase[0];
}

void PhraseTrie::append(std::span<const Event> events, std::vector<std::uint32_t>& phrases) {
  if (symbols_ == Symbols::blocks) {
    for (const Event& event : events) phrases.push_back(single(event));
    return;
  }
  Place place = place_;
  for (const Event& event : events) {
    if (event.kind == EventKind::block) {
      if (place.length > 0 && event.id <= place.last_block) end_phrase(place, phrases);
      step(place, event);
      place.last_block = event.id;
      if (place.length == kLongestPhrase) end_phrase(place, phrases);
    } else {
      step(place, event);
      place.last_block = 0;
      frames_.apply(event);
      if (event.kind == EventKind::exit || place.length == kLongestPhrase) {
        end_phrase(place, phrases);
      }
    }
  }
  place_ = place;
}

void PhraseTrie::flush(std::vector<std::uint32_t>& phrases) {
  if (place_.length > 0) end_phrase(place_, phrases);
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
