// The record of a module that the runtime registers (wire/module.h), in the module itself.
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "table.h"

namespace pathspool::pass {

class ModuleRecord {
 public:
  // Before the functions are instrumented, since their enter words read the base; the rest follows
  // when the table is known.
  explicit ModuleRecord(llvm::Module& module);

  // Where the runtime writes the number of the module's first function.
  [[nodiscard]] llvm::Constant* base_address() const;

  // Fills in the record and has it registered before the program's own constructors run.
  void finish(const TableWriter::Table& table);

 private:
  llvm::Module& module_;
  llvm::StructType* type_;
  llvm::GlobalVariable* record_;
};

}  // namespace pathspool::pass
