// Which functions and paths of a recording bench/matching asks for: the path-matching paper's three
// types (section 5.2), told apart by how many chunks hold events of the path's function.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pathspool/event.h"
#include "pathspool/find.h"
#include "pathspool/spool.h"

namespace pathspool::bench {

inline constexpr std::size_t kShortestPath = 3;
inline constexpr std::size_t kLongestPath = 8;

struct Coverage {
  std::uint64_t chunks = 0;  // that hold an event of the function, by the index
  std::uint64_t all = 0;

  [[nodiscard]] double share() const {
    return all == 0 ? 0 : static_cast<double>(chunks) / static_cast<double>(all);
  }
};

[[nodiscard]] Coverage coverage_of(const Spool& spool, FunctionId function);

struct ChosenPath {
  std::vector<BlockId> blocks;
  bool occurs = true;
};

struct PathType {
  unsigned number = 0;    // 1, 2 or 3
  bool is_of_it = false;  // else no function of the program is, and this one's coverage is nearest
  FunctionId function{};
  std::uint64_t events = 0;  // of the function
  Coverage in_chunks;
  Coverage in_grammar;
  std::vector<ChosenPath> paths;
};

// In the order of their numbers; a type for which no function is left is not there. Paths have 3 to
// 8 blocks. `present` of them are drawn from the function's frames at a fixed seed, each run of
// blocks with the same chance; `absent` are such paths with one block changed that do not occur.
[[nodiscard]] std::vector<PathType> choose_paths(const Spool& chunks, const Spool& grammar,
                                                 std::size_t present, std::size_t absent);

[[nodiscard]] Query query_for(FunctionId function, const std::vector<BlockId>& blocks);

}  // namespace pathspool::bench
