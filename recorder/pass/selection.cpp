#include "selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/LLVMContext.h"

namespace pathspool::pass {
namespace {

constexpr const char* kEntryMark = "instrument-function-entry-inlined";
constexpr const char* kExitMark = "instrument-function-exit-inlined";

// Sorted.
constexpr const char* kQuietLibraryFunctions[] = {
    "acos",    "asin",    "atan",    "atan2",   "bcmp",    "bzero",   "cbrt",    "ceil",
    "ceilf",   "cos",     "cosf",    "cosh",    "exp",     "exp2",    "expf",    "fabs",
    "floor",   "floorf",  "fmod",    "fmodf",   "frexp",   "hypot",   "isalnum", "isalpha",
    "isdigit", "islower", "isprint", "isspace", "isupper", "ldexp",   "log",     "log10",
    "log2",    "logf",    "memchr",  "memcmp",  "memcpy",  "memmove", "memrchr", "memset",
    "modf",    "pow",     "powf",    "round",   "roundf",  "sin",     "sinf",    "sinh",
    "sqrt",    "sqrtf",   "stpcpy",  "strcat",  "strchr",  "strcmp",  "strcpy",  "strcspn",
    "strlen",  "strncat", "strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strspn",
    "strstr",  "tan",     "tanf",    "tanh",    "tolower", "toupper", "trunc",
};

bool matches_any(const std::vector<std::string>& patterns, const llvm::Function& function) {
  if (patterns.empty()) return false;
  const std::string name = function.getName().str();
  const std::string demangled = demangled_name(function);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0 ||
           fnmatch(pattern.c_str(), demangled.c_str(), 0) == 0;
  });
}

// Clang makes these for the initial values of variables: they have no declaration that it could
// have marked, but paths of their own. What calls them all has none, before they are inlined into
// it.
bool initialises_variables(llvm::StringRef name, Stage stage) {
  return name.contains("__cxx_global_var_init") || name.contains("__cxx_global_array_dtor") ||
         (stage == Stage::optimized && name.contains("_GLOBAL__sub_I_"));
}

bool is_marked(const llvm::Function& function, Stage stage) {
  return function.hasFnAttribute(kEntryMark) || initialises_variables(function.getName(), stage);
}

bool can_be_instrumented(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) &&
         !function.getName().contains("pathspool.") && !never_records(function.getName());
}

bool is_wanted(const llvm::Function& function, const Options& options) {
  if (options.functions_are_marked && !is_marked(function, options.stage)) return false;
  if (!options.include.empty() && !matches_any(options.include, function)) return false;
  return !matches_any(options.exclude, function);
}

bool is_a_coroutine(const llvm::Function& function) {
#if LLVM_VERSION_MAJOR >= 15
  return function.hasFnAttribute(llvm::Attribute::PresplitCoroutine);
#else
  return function.hasFnAttribute("coroutine.presplit");
#endif
}

}  // namespace

bool never_records(llvm::StringRef name) {
  return std::binary_search(std::begin(kQuietLibraryFunctions), std::end(kQuietLibraryFunctions),
                            name, [](llvm::StringRef a, llvm::StringRef b) { return a < b; });
}

std::string demangled_name(const llvm::Function& function) {
  return llvm::demangle(function.getName().str());
}

std::vector<llvm::Function*> select_functions(llvm::Module& module, const Options& options) {
  // They run while the program is being relocated, when thread-local storage is not there yet.
  llvm::SmallPtrSet<const llvm::Function*, 4> resolvers;
  for (const llvm::GlobalIFunc& ifunc : module.ifuncs()) {
    if (const llvm::Function* resolver = ifunc.getResolverFunction()) resolvers.insert(resolver);
  }

  std::vector<llvm::Function*> selected;
  for (llvm::Function& function : module) {
    const bool wanted = can_be_instrumented(function) && resolvers.count(&function) == 0 &&
                        is_wanted(function, options);
    if (options.functions_are_marked) {
      function.removeFnAttr(kEntryMark);
      function.removeFnAttr(kExitMark);
    }
    if (wanted && is_a_coroutine(function)) {
      module.getContext().emitError("pathspool cannot record coroutines: leave " +
                                    demangled_name(function) +
                                    " out with __attribute__((no_instrument_function)) or -N");
    } else if (wanted) {
      selected.push_back(&function);
    }
  }
  return selected;
}

}  // namespace pathspool::pass
