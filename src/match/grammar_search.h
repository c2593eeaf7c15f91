// Schemes 2 and 4 of the path-matching paper, sections 4.2 and 4.4: searches a segment of form
// `grammar` without expanding it.
#pragma once

#include "match/search.h"
#include "spool/grammar_segment_reader.h"

namespace pathspool::match {

// From the segment's start to its end, or until the search is done or past its bounds. With
// `use_index`, chunks of the start rule without events of the functions asked about act on the
// frames by their facts alone. A chunk that turns out damaged is noted in `unsearched`; other
// damage throws Error.
void search_grammar(const spool::GrammarSegmentReader& segment, Search& search);

}  // namespace pathspool::match
