// A program that was built for another mode than it is to be recorded in.
#pragma once

#include <fmt/core.h>

#include <cstdint>

#include "pathspool/recording.h"

namespace pathspool::collector {

class WrongMode : public ProgramError {
 public:
  explicit WrongMode(std::uint32_t built_for)
      : ProgramError(kFailed,
                     fmt::format("was built for mode {} (see pathspool cc --pathspool-mode)",
                                 name_of(static_cast<wire::Mode>(built_for)))) {}
};

}  // namespace pathspool::collector
