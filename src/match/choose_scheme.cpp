#include "match/choose_scheme.h"

#include <fmt/format.h>

#include <algorithm>

namespace pathspool::match {

ChosenScheme choose_scheme(Scheme asked, const SegmentOffer& offer) {
  const bool is_grammar = offer.form == Form::grammar;
  const Scheme whole = is_grammar ? Scheme::grammar : Scheme::chunks;
  const Scheme indexed = is_grammar ? Scheme::indexed_grammar : Scheme::indexed_chunks;
  if (asked == Scheme::automatic) {
    if (!offer.indexed) return {whole, SchemeReason::no_index};
    if (offer.chunks_wanted == offer.chunks) return {whole, SchemeReason::index_excludes_nothing};
    return {indexed, SchemeReason::index_excludes_some};
  }
  if (asked == whole || (asked == indexed && offer.indexed)) return {asked, SchemeReason::asked};
  if (asked == indexed) {
    throw MissingScheme(fmt::format("scheme {} needs an index, which the file does not have",
                                    fmt::underlying(asked)));
  }
  const bool for_chunks = asked == Scheme::chunks || asked == Scheme::indexed_chunks;
  throw MissingScheme(fmt::format("scheme {} needs form {}: the file is stored as {}",
                                  fmt::underlying(asked), for_chunks ? "chunks" : "grammar",
                                  name_of(offer.form)));
}

MemoryShares share_memory(std::uint64_t memory_bytes, std::uint64_t largest_chunk_bytes,
                          std::uint64_t threads) {
  // Packed and unpacked; what is found is small unless all positions are asked for.
  const std::uint64_t each = 2 * std::max<std::uint64_t>(largest_chunk_bytes, 1);
  MemoryShares shares;
  shares.chunks_at_once = std::clamp<std::uint64_t>(memory_bytes / each, 1, 2 * threads);
  const std::uint64_t used = shares.chunks_at_once * each;
  if (used < memory_bytes) shares.kept_bytes = memory_bytes - used;
  return shares;
}

}  // namespace pathspool::match
