// A phrase dictionary to bytes.
#pragma once

#include "base/bytes.h"
#include "spool/phrases.h"

namespace pathspool::spool {

[[nodiscard]] base::Bytes encode_phrases(const PhraseTable& phrases);

}  // namespace pathspool::spool
