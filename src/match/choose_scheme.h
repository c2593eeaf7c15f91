// Which scheme a segment is searched by, and how the memory is divided: decided by what the segment
// holds of the functions asked for, without looking into it.
#pragma once

#include <cstdint>

#include "pathspool/error.h"
#include "pathspool/find.h"
#include "pathspool/spool.h"

namespace pathspool::match {

// What is known of a segment beforehand.
struct SegmentOffer {
  Form form{};
  bool indexed = false;
  std::uint64_t chunks = 0;
  std::uint64_t chunks_wanted = 0;  // hold events of the functions asked for; all without an index
};

struct ChosenScheme {
  Scheme scheme{};
  SchemeReason reason{};

  [[nodiscard]] bool uses_index() const {
    return scheme == Scheme::indexed_chunks || scheme == Scheme::indexed_grammar;
  }
};

// A scheme that the file does not have, which is no damage.
class MissingScheme : public Error {
 public:
  using Error::Error;
};

// The form decides between 1 and 3 on one side, 2 and 4 on the other: a segment is stored once, and
// to search a grammar without unwinding it is what the paper's conclusion advises. The index is
// taken where it rules a chunk out. That costs nothing but a look at its runs, and helps the more
// the fewer chunks hold what is asked for; many queries soon ask for something in every chunk, and
// then there is nothing to skip.
// Throws MissingScheme if another scheme was asked for than the segment has.
[[nodiscard]] ChosenScheme choose_scheme(Scheme asked, const SegmentOffer& offer);

// What is done with the memory that a search of chunks may use.
struct MemoryShares {
  std::uint64_t chunks_at_once = 1;  // unpacked and scanned
  std::uint64_t kept_bytes = 0;      // of unpacked chunks, at most
};

// Every thread gets a chunk to scan and one to go on with, if that is possible, and at least one of
// them does. What is left can hold unpacked chunks for the next search.
[[nodiscard]] MemoryShares share_memory(std::uint64_t memory_bytes,
                                        std::uint64_t largest_chunk_bytes, std::uint64_t threads);

}  // namespace pathspool::match
