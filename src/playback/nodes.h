// What can come next in each function, as flat tables made of the control-flow graphs.
//
// Every block is a short row of nodes: one for each call site that may enter a recorded function,
// then one for how the block ends. A node tells which event comes next, or what must be asked to
// know it. Which events a call site leads to is only a guess at first (the table of functions knows
// names, not addresses); walk.h changes nodes as it learns better, so each walk has its own copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pathspool/function_table.h"

namespace pathspool::playback {

enum class NodeKind : std::uint8_t {
  // How blocks end. Blocks are named by their global number, see NodeTable::base_of.
  jump,          // to block `first`
  conditional,   // to block `first` if true, to `second` if false
  choice,        // to one of `second` distinct blocks, which are listed from `first` on
  computed,      // the same, for a computed goto
  invoke,        // to block `first`; to `second` when unwinding
  invoke_asked,  // one that goes to `second` at other times too: ask
  exit,
  exit_unwinding,  // exit, and the caller does not go on as usual
  // Call sites. `second` is the node that comes after.
  call,         // enters function `first`
  call_fresh,   // has not been seen: ask
  call_asked,   // enters this or that or nothing: ask
  call_back,    // enters any number of functions: ask until the answer is nothing
  call_silent,  // of block `first`; never seen to enter anything, and other nodes lead past it
  redirect,     // nothing happens; goes on at node `first`
  // A call in tail position ends its caller's frame first.
  jump_then,         // to block `first`, then goes on at node `second`
  exit_then,         // exit, then goes on at node `first`
  after_exit,        // enters function `first`
  after_exit_fresh,  // as the calls of that name
  after_exit_asked,
  after_exit_silent,  // enters nothing
  // While frames are unwound. There is one node of each kind.
  unwinding,      // exit, and so on
  landing,        // the exceptional successor of the invoke that was left
  second_return,  // exit, or some block after a setjmp: ask
  // Nothing is known: ask for each event.
  free,
};

// What is special about a call site.
enum class Call : std::uint8_t {
  plain,
  // It may be a tail call. These nodes come right after it:
  before_return,  // after_exit, exit_then
  before_jump,    // after_exit, exit_then, jump_then: to a block that only returns
  // Calls of functions that are not listed, which may call listed ones.
  outside,
};

struct Node {
  NodeKind kind = NodeKind::free;
  Call call = Call::plain;
  std::uint16_t surprises = 0;
  std::uint32_t site = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

// Where the call goes on if it is a tail call.
[[nodiscard]] constexpr std::uint32_t tail_of(const Node& call, std::uint32_t at) {
  return call.call == Call::before_return ? at + 2 : at + 3;
}

// Sites are numbered from 0 in order of functions and blocks: first, densely, those that the
// papers' models number (a conditional and a computed goto take one number, a switch of n distinct
// successors n - 1, an indirect call one), then the sites where a decision is seldom needed.
class NodeTable {
 public:
  // Of the first so many functions, the others' graphs are not known: a table grows while a
  // program runs, and whoever plays a recording back must number as its maker did.
  NodeTable(const FunctionTable& functions, std::size_t count);

  // Nodes that belong to no function. Where nothing at all is known:
  static constexpr std::uint32_t kLost = 0;
  // While frames are unwound:
  static constexpr std::uint32_t kUnwinding = 1;
  static constexpr std::uint32_t kLanding = 2;
  static constexpr std::uint32_t kSecondReturn = 3;

  // Whether the table of functions has it, be it without its graph here.
  [[nodiscard]] bool exists(std::uint32_t function) const { return function < existing_; }
  [[nodiscard]] std::uint32_t sites() const { return sites_; }
  // Sites of conditionals, switches, computed gotos and indirect calls are below this.
  [[nodiscard]] std::uint32_t dense_sites() const { return dense_sites_; }

  // Block `id` of the function has the global number base + id.
  [[nodiscard]] std::uint32_t base_of(std::uint32_t function) const {
    return function < functions_.size() ? functions_[function].base : 0;
  }
  // 0 if its graph is not known.
  [[nodiscard]] std::uint32_t blocks_of(std::uint32_t function) const {
    return function < functions_.size() ? functions_[function].blocks : 0;
  }
  // Where a function begins.
  [[nodiscard]] std::uint32_t start_of(std::uint32_t function) const {
    return function < functions_.size() ? functions_[function].start : kLost;
  }

  // Whether it calls setjmp, so that it may go on when frames above it were unwound.
  [[nodiscard]] bool returns_twice(std::uint32_t function) const {
    return function < functions_.size() && functions_[function].returns_twice;
  }

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  // The first node of each block that is not silent, by global number.
  [[nodiscard]] const std::vector<std::uint32_t>& entries() const { return entries_; }
  // The distinct successors of choice and computed nodes.
  [[nodiscard]] std::uint32_t successor(const Node& node, std::uint32_t index) const {
    return successors_[node.first + index];
  }
  // node.second if the block is none of them.
  [[nodiscard]] std::uint32_t index_of(const Node& node, std::uint64_t block) const;

 private:
  struct FunctionNodes {
    std::uint32_t base = 0;
    std::uint32_t blocks = 0;
    std::uint32_t start = kLost;
    bool returns_twice = false;
  };
  // To find a successor's index: a dense array if the successors lie close together.
  struct Ranks {
    std::uint32_t lowest = 0;
    std::uint32_t offset = 0;
    std::uint32_t width = 0;  // 0 if there is none
  };
  using Names = std::unordered_map<std::string_view, std::vector<std::uint32_t>>;

  void add_function(const FunctionTable& functions, std::uint32_t id, const Names& names);
  void add_calls(const Function& function, std::uint32_t id, const Block& block,
                 const Names& names);
  void add_call(NodeKind kind, std::uint32_t site, std::uint32_t callee);
  void add_tail(const Function& function, std::uint32_t id, const Block& block);
  void add_end(const Function& function, std::uint32_t id, const Block& block);
  void add_ranks(const Node& node);
  std::uint32_t append(const Node& node);
  // Of the second kind; they are moved behind the dense ones in the end.
  std::uint32_t rare_sites(std::uint32_t count);
  std::uint32_t dense_sites(std::uint32_t count);

  std::size_t existing_;
  std::vector<FunctionNodes> functions_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint32_t> successors_;
  std::vector<Ranks> ranks_;  // by index in successors_ of a node's first one
  std::vector<std::uint32_t> rank_of_;
  std::vector<std::uint32_t> rare_nodes_;  // whose sites are to be moved
  std::vector<std::uint32_t> last_seen_;   // by block of a function: the last that leads to it
  std::uint32_t dense_sites_ = 0;
  std::uint32_t rare_count_ = 0;
  std::uint32_t sites_ = 0;
};

}  // namespace pathspool::playback
