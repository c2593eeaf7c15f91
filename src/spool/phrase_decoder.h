// Bytes to a phrase dictionary.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "spool/phrases.h"

namespace pathspool::spool {

// Throws Error if the bytes are no dictionary of `claimed_phrases`.
[[nodiscard]] PhraseTable decode_phrases(base::ByteView bytes, std::uint64_t claimed_phrases,
                                         std::uint64_t function_count);

}  // namespace pathspool::spool
