// Cuts a stream of events into phrases, online, and numbers the distinct ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/spool.h"
#include "spool/phrases.h"
#include "trace/frame_stack.h"

namespace pathspool::spool {

// A trie: from the root of the running function, one step per event. A phrase ends after an exit,
// before a block whose id is not above the last one's (a back edge, as block ids follow the layout
// of the code), and after kLongestPhrase events. No graph of the program is needed.
class PhraseTrie {
 public:
  explicit PhraseTrie(Symbols symbols, trace::FrameStack entry = {});

  // Appends the numbers of the phrases that the events complete.
  void append(std::span<const Event> events, std::vector<std::uint32_t>& phrases);
  // Ends the unfinished phrase, if there is one.
  void flush(std::vector<std::uint32_t>& phrases);

  [[nodiscard]] std::uint64_t memory_bytes() const;
  // Distinct phrases so far.
  [[nodiscard]] std::size_t size() const { return phrase_nodes_.size(); }

  // All phrases so far by number.
  [[nodiscard]] PhraseTable table() const;

 private:
  using Code = std::uint64_t;  // kind and id of an event, or a root's function; below 2^34
  using NodeId = std::uint32_t;
  static constexpr std::uint32_t kUnnumbered = UINT32_MAX;

  struct Node {
    Code code = 0;
    NodeId parent = 0;
    std::uint32_t phrase = kUnnumbered;
    // The child taken last: most steps repeat it and need no lookup.
    Code hot_code = ~Code{0};
    NodeId hot_child = 0;
  };
  struct Slot {
    std::uint64_t key =
        0;  // parent and code; 0 is free, since the first node has only roots below it
    NodeId child = 0;
  };

  // Where the unfinished phrase stands. A loop over events keeps it in registers.
  struct Place {
    NodeId node = 0;
    std::uint32_t length = 0;
    std::uint32_t last_block = 0;
  };

  [[nodiscard]] std::uint32_t single(const Event& event);
  [[nodiscard]] NodeId root();
  void step(Place& place, const Event& event);
  void end_phrase(Place& place, std::vector<std::uint32_t>& phrases);
  NodeId child(NodeId parent, Code code);
  NodeId child_by_lookup(NodeId parent, Code code);
  void grow();
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;

  Symbols symbols_;
  trace::FrameStack frames_;
  std::vector<Node> nodes_;
  std::vector<Slot> slots_;
  std::vector<NodeId> roots_;  // by function
  std::vector<NodeId> phrase_nodes_;
  // Phrases of one event with a small id, by kind and id: the papers' alphabet needs no trie.
  std::vector<std::uint32_t> singles_;
  Place place_;
};

}  // namespace pathspool::spool
