// What functions promised about memory before they were instrumented and no longer keep: to read or
// write none of it, say. A caller that believed it would not see that the cursor has moved.
#pragma once

#include "llvm/IR/Module.h"

namespace pathspool::pass {

void take_back_promises(llvm::Module& module);

}  // namespace pathspool::pass
