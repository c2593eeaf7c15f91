// What the encoder and the decoder of a phrase dictionary both know.
//
// A dictionary is three rows, packed together: the contexts, each as its difference to the one
// before (0 for none, otherwise the function's id plus one); the lengths, a byte each; the events.
// An event is a varint: 0 is an exit, an odd number a block, an even one the entry of a function. A
// block is told by how far its id is from the one before it in the phrase, the first from 0, since
// the ids along a path rise in small steps.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "pathspool/event.h"

namespace pathspool::spool {

// `last_block` is that of the block before, 0 if there is none.
[[nodiscard]] constexpr std::uint64_t phrase_event_code(const Event& event,
                                                        std::uint32_t last_block) {
  switch (event.kind) {
    case EventKind::exit:
      return 0;
    case EventKind::enter:
      return 2 * (std::uint64_t{event.id} + 1);
    case EventKind::block:
      break;
  }
  return 2 * base::zigzag(std::int64_t{event.id} - std::int64_t{last_block}) + 1;
}

}  // namespace pathspool::spool
