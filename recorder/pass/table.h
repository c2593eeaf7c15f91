// The table of a module's functions, as wire/module.h lays it out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "survey.h"

namespace pathspool::pass {

class TableWriter {
 public:
  // `functions` are those that it will have.
  TableWriter(const llvm::Module& module, const std::vector<llvm::Function*>& functions);

  // In order of index, before anything is inserted.
  void add(const FunctionSurvey& survey);

  struct Table {
    std::string bytes;
    std::uint64_t hash = 0;
    std::uint32_t module_tag = 0;
    std::uint32_t functions = 0;
  };
  Table finish();

 private:
  void number(std::uint64_t value);
  void signed_number(std::int64_t value);
  void string(llvm::StringRef text);
  void add_block(const BlockSurvey& survey, std::int64_t& line);

  std::string head_;  // what names the module
  std::string body_;  // the functions
  std::string strings_;
  llvm::StringMap<unsigned> string_ids_;
  llvm::DenseSet<const llvm::Function*> listed_;
  std::uint32_t functions_ = 0;
  std::string* out_ = &head_;
};

}  // namespace pathspool::pass
