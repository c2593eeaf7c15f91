// The tables that instrumented object files bring along (pathspool/wire/module.h), read into the
// function table of a recording.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "pathspool/function_table.h"
#include "pathspool/wire/word.h"
#include "recorder/collector/function_filter.h"
#include "recorder/collector/function_numbers.h"

namespace pathspool::collector {

struct ModuleTable {
  wire::Word tag = 0;
  std::string file;
  std::string folder;
  std::vector<Function> functions;  // their files as they were given to the compiler
};

// Throws Error if the bytes are malformed or claim too much.
[[nodiscard]] ModuleTable parse_module_table(base::ByteView bytes);

class ModuleTables {
 public:
  ModuleTables(FunctionTable& functions, FunctionNumbers& numbers, FunctionFilter filter)
      : functions_(functions), numbers_(numbers), filter_(std::move(filter)) {}

  // Takes a module whose functions have the numbers from `base` on. Functions that are equal in all
  // that is known of them share an id: inline functions are compiled into many modules. Throws
  // Error, and takes nothing, if the table is malformed or does not hold `claimed_functions`.
  void add(wire::Word base, std::uint32_t claimed_functions, base::ByteView table);

 private:
  FunctionId shared_id(Function function);

  FunctionTable& functions_;
  FunctionNumbers& numbers_;
  FunctionFilter filter_;
  std::unordered_multimap<std::size_t, FunctionId> known_;  // by hash of name, file and line
};

}  // namespace pathspool::collector
