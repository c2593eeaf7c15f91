#include "table.h"

#include <set>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "pathspool/wire/module.h"
#include "pathspool/wire/word.h"
#include "selection.h"

namespace pathspool::pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using wire::CallKind;
using wire::Terminator;

void append_number(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

Terminator terminator_of(const llvm::BasicBlock& block) {
  const llvm::Instruction* last = block.getTerminator();
  if (const auto* branch = dyn_cast<llvm::BranchInst>(last)) {
    return branch->isConditional() ? Terminator::conditional : Terminator::jump;
  }
  if (isa<llvm::SwitchInst>(last)) return Terminator::switched;
  if (isa<llvm::IndirectBrInst>(last)) return Terminator::indirect;
  if (isa<llvm::InvokeInst>(last)) return Terminator::invoke;
  if (isa<llvm::ReturnInst>(last)) return Terminator::returned;
  if (isa<llvm::ResumeInst>(last)) return Terminator::resumed;
  if (isa<llvm::UnreachableInst>(last)) return Terminator::unreachable;
  return Terminator::unknown;
}

// Lines of the function itself: of code that was inlined into it, the line that it was called in.
std::set<unsigned> lines_of(const llvm::BasicBlock& block) {
  std::set<unsigned> lines;
  for (const llvm::Instruction& instruction : block) {
    if (isa<llvm::DbgInfoIntrinsic>(instruction)) continue;
    const llvm::DILocation* location = instruction.getDebugLoc();
    while (location != nullptr && location->getInlinedAt() != nullptr) {
      location = location->getInlinedAt();
    }
    if (location != nullptr && location->getLine() != 0) lines.insert(location->getLine());
  }
  return lines;
}

// As the compiler was given it, without detours such as `a/../b`.
std::string file_of(const llvm::DISubprogram* program) {
  if (program == nullptr || program->getFile() == nullptr) return {};
  llvm::SmallString<128> path(program->getFilename());
  llvm::sys::path::remove_dots(path, true);
  return path.str().str();
}

std::string folder_of(const llvm::Module& module) {
  for (const llvm::DICompileUnit* unit : module.debug_compile_units()) {
    return unit->getDirectory().str();
  }
  return {};
}

}  // namespace

TableWriter::TableWriter(const llvm::Module& module, const std::vector<llvm::Function*>& functions)
    : listed_(functions.begin(), functions.end()) {
  string_ids_[""] = 0;
  append_number(strings_, 0);
  string(module.getSourceFileName());
  string(folder_of(module));
  out_ = &body_;
}

void TableWriter::number(std::uint64_t value) { append_number(*out_, value); }

void TableWriter::signed_number(std::int64_t value) {
  number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void TableWriter::string(llvm::StringRef text) {
  const auto [at, is_new] = string_ids_.try_emplace(text, string_ids_.size());
  if (is_new) {
    append_number(strings_, text.size());
    strings_.append(text.data(), text.size());
  }
  number(at->second);
}

void TableWriter::add(const FunctionSurvey& survey) {
  const llvm::Function& function = *survey.function;
  const llvm::DISubprogram* program = function.getSubprogram();
  string(function.getName());
  string(demangled_name(function));
  string(file_of(program));
  std::int64_t line = program == nullptr ? 0 : program->getLine();
  number(static_cast<std::uint64_t>(line));
  number(survey.blocks.size());

  llvm::DenseMap<const llvm::BasicBlock*, unsigned> ids;
  for (const BlockSurvey& block : survey.blocks) ids[block.block] = block.id;
  for (const BlockSurvey& block : survey.blocks) {
    number(static_cast<std::uint64_t>(terminator_of(*block.block)));
    const llvm::Instruction* last = block.block->getTerminator();
    number(last->getNumSuccessors());
    for (unsigned i = 0; i < last->getNumSuccessors(); ++i) number(ids[last->getSuccessor(i)]);
    add_block(block, line);
  }
  ++functions_;
}

void TableWriter::add_block(const BlockSurvey& survey, std::int64_t& line) {
  const std::set<unsigned> lines = lines_of(*survey.block);
  number(lines.size());
  for (const unsigned next : lines) {
    signed_number(std::int64_t{next} - line);
    line = next;
  }

  std::vector<const llvm::CallBase*> calls;
  for (const llvm::Instruction& instruction : *survey.block) {
    const auto* call = dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && !isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm()) {
      calls.push_back(call);
    }
  }
  number(calls.size());
  for (const llvm::CallBase* call : calls) {
    const auto* callee = dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    const CallKind kind = callee == nullptr            ? CallKind::indirect
                          : listed_.count(callee) == 0 ? CallKind::external
                                                       : CallKind::direct;
    number(static_cast<std::uint64_t>(kind));
    if (callee != nullptr) string(callee->getName());
  }
}

TableWriter::Table TableWriter::finish() {
  std::string rest;
  append_number(rest, string_ids_.size());
  rest += strings_ + head_;
  append_number(rest, functions_);
  rest += body_;

  Table table;
  table.functions = functions_;
  table.module_tag = static_cast<std::uint32_t>(llvm::xxHash64(rest)) & wire::kTagMask;
  append_number(table.bytes, table.module_tag);
  table.bytes += rest;
  table.hash = llvm::xxHash64(table.bytes);
  return table;
}

}  // namespace pathspool::pass
