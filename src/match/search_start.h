// Where a search has to begin that only wants occurrences from some position on.
//
// An occurrence may begin before that position, in a frame that was opened long before. But how far
// a frame has come along its function's paths is told by its last blocks, one fewer than the
// longest path has: going back from the position, only chunks matter that hold some of those, and
// no chunk from before the frame was opened. Which chunks may hold blocks of which frames is seen
// in their facts.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "match/chunk_search.h"
#include "match/search.h"
#include "spool/spool_impl.h"

namespace pathspool::match {

struct SearchStart {
  std::size_t segment = 0;  // the first to be looked into, among those of the stream
  // By segment, and then by chunk: whether it matters. All do in segments that are not here.
  std::map<std::size_t, std::vector<bool>> needed;
};

// For the search's bounds in the stream with these segments. With `by_index`, chunks that hold
// nothing of the functions asked for are known not to matter. Damage is left for the search to
// find.
[[nodiscard]] SearchStart search_start(const Spool::Impl& spool,
                                       std::span<const std::size_t> segments, bool by_index,
                                       ChunkSearcher& chunks, const Search& search);

}  // namespace pathspool::match
