// Code that moves the ring's cursor and writes words at it. The cursor lives in a local variable of
// the function, which becomes a register when all is inserted; the thread's own copy is brought up
// to date before calls and read again after them.
#pragma once

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "pathspool/wire/word.h"

namespace pathspool::pass {

// Whether the thread's copy can be forwarded past the call as any other memory: not if LLVM
// believes that the callee leaves memory alone, as it does of library functions and of what
// declares it.
enum class Callees { plain, believed_harmless };

// What of the runtime a module refers to, and how its memory accesses are marked.
struct RuntimeFaces {
  explicit RuntimeFaces(llvm::Module& module);

  llvm::Type* word;
  llvm::Type* pair;
  llvm::PointerType* word_pointer;
  llvm::GlobalVariable* thread_cursor;
  llvm::FunctionCallee chunk_full;
  llvm::FunctionCallee resumed;
  llvm::MDNode* ring_scope;    // words in the ring ...
  llvm::MDNode* thread_scope;  // ... never lie where the thread's cursor does
};

class Cursor {
 public:
  Cursor(llvm::Function& function, const RuntimeFaces& faces);

  // All insert before the instruction given.
  void load_from_thread(llvm::Instruction* before, Callees callees);
  void store_to_thread(llvm::Instruction* before, Callees callees);
  // Makes room for the next words if the chunk is full. Splits the block.
  void look(llvm::Instruction* before);
  void write(llvm::Instruction* before, llvm::Value* word);
  void write(llvm::Instruction* before, wire::Word word);
  // Both at once: the second is never missing.
  void write_pair(llvm::Instruction* before, llvm::Value* first, llvm::Value* second);

  // Turns the variable into registers. Nothing may be inserted after that.
  void promote();

 private:
  void advance(llvm::IRBuilder<>& builder, llvm::Value* at, unsigned words);

  llvm::Function& function_;
  const RuntimeFaces& faces_;
  llvm::AllocaInst* variable_;
};

}  // namespace pathspool::pass
