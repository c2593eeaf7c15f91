// Which functions are instrumented.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "options.h"

namespace pathspool::pass {

// In the module's order, which is that of their indexes. Takes clang's marks off every function.
// What cannot be instrumented is left out, or refused with a message through the module's context.
std::vector<llvm::Function*> select_functions(llvm::Module& module, const Options& options);

// The name for people.
std::string demangled_name(const llvm::Function& function);

// Library functions that neither call back nor unwind, so that the cursor can stay in its register
// across them. A program's own function of such a name is not instrumented, or this would not hold.
bool never_records(llvm::StringRef name);

}  // namespace pathspool::pass
