// What a function looks like before anything is inserted. Blocks are numbered here, so that every
// mode numbers the same program alike.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "options.h"

namespace pathspool::pass {

// A call in tail position that the code generator may turn into a jump: the caller's frame may be
// gone while the callee runs, and anything that we did after the call would keep it from going. So
// the frame ends before the call.
struct TailCall {
  llvm::CallInst* call = nullptr;
  // The block that only returns what the call returned, if that is not the call's own; its number.
  llvm::BasicBlock* return_block = nullptr;
  unsigned return_block_id = 0;
};

struct BlockSurvey {
  llvm::BasicBlock* block = nullptr;
  unsigned id = 0;                               // from 1, in layout order
  std::vector<llvm::CallBase*> recording_calls;  // in order: calls that may write words or unwind
  TailCall tail;                                 // if tail.call is set
  bool is_landing_pad = false;
  bool is_loop_header = false;  // the target of a back edge
};

struct FunctionSurvey {
  llvm::Function* function = nullptr;
  std::vector<BlockSurvey> blocks;
  bool has_landing_pads = false;
  bool has_second_returns = false;  // calls setjmp, vfork or the like

  // Whether frames above it can vanish without a word: then it must be possible to name this one.
  bool needs_frame_token() const { return has_landing_pads || has_second_returns; }
};

// Whether words may be written, or frames left, while this call runs.
bool may_record(const llvm::CallBase& call);

// What the return returns when it is reached from that block; null for nothing.
llvm::Value* returned_value(const llvm::ReturnInst& ret, const llvm::BasicBlock& from);

FunctionSurvey survey(llvm::Function& function, Stage stage);

}  // namespace pathspool::pass
