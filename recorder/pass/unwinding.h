// Exceptions that pass through a function: its frame must end with a word, whoever catches them.
#pragma once

#include <functional>

#include "survey.h"

namespace pathspool::pass {

// Gives every call that may throw a landing pad, where `end_frame` inserts what ends the frame
// before the unwinding goes on. Landing pads that are there already are entered for every
// exception. The survey's calls are replaced by the invokes they become.
void catch_unwinding(FunctionSurvey& survey,
                     const std::function<void(llvm::Instruction* before)>& end_frame);

}  // namespace pathspool::pass
