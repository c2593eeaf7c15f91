// A thread's way into its rings.
#pragma once

#include "arena_view.h"

namespace pathspool::runtime {

// The first value of a thread's cursor: full, and with slack behind it.
Word* first_cursor();

// Memory that nobody reads, for a thread that is not recorded.
Word* idle_cursor();

// chunk_full as C sees it; the stub around it keeps registers.
extern "C" Word* pathspool_chunk_full_c(Word* cursor);

// Where words can be written now, less than kSlackWords of them.
inline Word* with_room(Word* cursor) {
  return is_full(cursor) ? pathspool_chunk_full_c(cursor) : cursor;
}

// A record of two words, at the thread's cursor.
void write_pair(Word first, Word second);

// Claims a ring for the thread's present level and moves the thread's cursor to its start, or moves
// it to idle memory if there is no ring to be had. Waits for a ring for some time.
void claim_level(std::uint32_t parent_serial, std::uint32_t fork_token);

// True if the thread's cursor is in the ring of its present level.
bool is_in_own_ring();

// Given a cursor that a thread had when it was interrupted for good: where its words end, in the
// chunk that it has now.
Word* true_end(Word* cursor);

// Every ring of this thread ends here. The thread's cursor is left alone.
void end_rings();

}  // namespace pathspool::runtime
