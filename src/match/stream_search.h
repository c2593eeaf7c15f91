// Takes a search through the segments of one stream, each by the engine for its form.
#pragma once

#include <vector>

#include "match/chunk_search.h"
#include "match/search.h"
#include "spool/spool_impl.h"

namespace pathspool::match {

// Throws Error if a segment does not have what the scheme needs. Damage is noted in the search.
void search_stream(const Spool::Impl& spool, StreamId stream, Scheme scheme, ChunkSearcher& chunks,
                   Search& search);

// Adds to those of the same kind.
void note(const SchemeChoice& choice, std::vector<SchemeChoice>& choices);

}  // namespace pathspool::match
