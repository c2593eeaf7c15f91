// Schemes 1 and 3: a segment of form `chunks`, unpacked and scanned on all cores.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "match/scan_tables.h"
#include "match/search.h"
#include "spool/chunk_cache.h"
#include "spool/chunks_reader.h"

namespace pathspool::match {

// Keeps what many segments use again: the automata's tables, and for each thread a decompressor and
// a buffer.
class ChunkSearcher {
 public:
  // The functions must outlive this object and be those of every search.
  ChunkSearcher(std::span<const FunctionPaths> functions, std::uint64_t function_count);
  ~ChunkSearcher();

  // Chunks that the cache has need not be unpacked; others go there if the search says so.
  void search(const spool::ChunksReader& segment, spool::ChunkCache& cache, Search& search);

  // How many blocks the chunk has, up to as many as the longest path has, of the uppermost frame
  // that is open before, throughout and after it, which belongs to number `paths` of the functions.
  // Any number if the chunk is damaged.
  [[nodiscard]] std::uint64_t blocks_of_kept_frame(const spool::ChunksReader& segment,
                                                   spool::ChunkCache& cache, std::size_t chunk,
                                                   std::uint32_t paths);

  class Workspaces;  // internal

 private:
  ScanTables tables_;
  std::unique_ptr<Workspaces> workspaces_;
};

// By chunk: whether it holds an `enter` or a block of a function that is asked for. All do if there
// is no index.
[[nodiscard]] std::vector<bool> chunks_of_interest(const spool::SegmentFacts& facts,
                                                   std::span<const FunctionPaths> functions);

}  // namespace pathspool::match
