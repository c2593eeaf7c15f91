#include "survey.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "selection.h"

namespace pathspool::pass {
namespace {

using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

// Instructions that make no code, between a call and its return.
bool is_nothing(const llvm::Instruction& instruction) {
  if (isa<llvm::DbgInfoIntrinsic>(instruction)) return true;
  const auto* intrinsic = dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr &&
         (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic());
}

const llvm::Instruction* next_that_does_something(const llvm::Instruction* instruction) {
  do {
    instruction = instruction->getNextNode();
  } while (instruction != nullptr && is_nothing(*instruction));
  return instruction;
}

bool returns_the_call(const llvm::ReturnInst& ret, const llvm::CallInst& call) {
  const llvm::Value* value = returned_value(ret, *call.getParent());
  return value == nullptr || value == &call || isa<llvm::UndefValue>(value);
}

// The return that follows the call with nothing in between, in its block or in one that only
// returns: what CodeGenPrepare would make a tail call of.
const llvm::ReturnInst* return_after(const llvm::CallInst& call) {
  const llvm::Instruction* next = next_that_does_something(&call);
  if (const auto* ret = dyn_cast_or_null<llvm::ReturnInst>(next)) {
    return returns_the_call(*ret, call) ? ret : nullptr;
  }
  const auto* jump = dyn_cast_or_null<llvm::BranchInst>(next);
  if (jump == nullptr || jump->isConditional()) return nullptr;
  const llvm::BasicBlock* target = jump->getSuccessor(0);
  const llvm::Instruction* first = target->getFirstNonPHI();
  if (is_nothing(*first)) first = next_that_does_something(first);
  const auto* ret = dyn_cast_or_null<llvm::ReturnInst>(first);
  return ret != nullptr && returns_the_call(*ret, call) ? ret : nullptr;
}

// As TailCallElim decides: a callee must not see the caller's frame.
bool frame_is_private(const llvm::Function& function) {
  for (const llvm::Argument& argument : function.args()) {
    if (argument.hasByValAttr() || argument.hasInAllocaAttr()) return false;
  }
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const auto* variable = dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable != nullptr && llvm::PointerMayBeCaptured(variable, true, true)) return false;
    }
  }
  return true;
}

bool passes_its_frame(const llvm::CallInst& call) {
  for (const llvm::Use& argument : call.args()) {
    if (isa<llvm::AllocaInst>(llvm::getUnderlyingObject(argument))) return true;
    if (call.isByValArgument(call.getArgOperandNo(&argument))) return true;
  }
  return false;
}

class TailCalls {
 public:
  TailCalls(const llvm::Function& function, Stage stage)
      : stage_(stage),
        made_at_all_(!function.hasOptNone() && !function.callsFunctionThatReturnsTwice() &&
                     function.getFnAttribute("disable-tail-calls").getValueAsString() != "true"),
        private_(made_at_all_ && stage == Stage::source && frame_is_private(function)) {}

  bool may_be_one(const llvm::CallInst& call) const {
    if (call.isMustTailCall()) return true;
    if (!made_at_all_ || call.isNoTailCall() || call.canReturnTwice() || call.doesNotReturn()) {
      return false;
    }
    return stage_ == Stage::optimized ? call.isTailCall() : private_ && !passes_its_frame(call);
  }

 private:
  Stage stage_;
  bool made_at_all_;
  bool private_;
};

}  // namespace

llvm::Value* returned_value(const llvm::ReturnInst& ret, const llvm::BasicBlock& from) {
  llvm::Value* value = ret.getReturnValue();
  const auto* phi = dyn_cast_or_null<llvm::PHINode>(value);
  const bool is_chosen =
      phi != nullptr && phi->getParent() == ret.getParent() && ret.getParent() != &from;
  return is_chosen ? phi->getIncomingValueForBlock(&from) : value;
}

bool may_record(const llvm::CallBase& call) {
  if (isa<llvm::IntrinsicInst>(call) || call.isInlineAsm()) return false;
  const llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() || !never_records(callee->getName());
}

FunctionSurvey survey(llvm::Function& function, Stage stage) {
  FunctionSurvey result;
  result.function = &function;
  const TailCalls tail_calls(function, stage);

  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 16> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  llvm::DenseSet<const llvm::BasicBlock*> loop_headers;
  for (const auto& edge : back_edges) loop_headers.insert(edge.second);

  llvm::DenseMap<const llvm::BasicBlock*, unsigned> ids;
  for (const llvm::BasicBlock& block : function)
    ids[&block] = static_cast<unsigned>(ids.size()) + 1;

  for (llvm::BasicBlock& block : function) {
    BlockSurvey& seen = result.blocks.emplace_back();
    seen.block = &block;
    seen.id = ids[&block];
    seen.is_landing_pad = block.isLandingPad();
    seen.is_loop_header = loop_headers.count(&block) != 0;
    result.has_landing_pads |= seen.is_landing_pad;
    for (llvm::Instruction& instruction : block) {
      auto* call = dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !may_record(*call)) continue;
      seen.recording_calls.push_back(call);
      result.has_second_returns |= call->hasFnAttr(llvm::Attribute::ReturnsTwice);
    }
    if (seen.recording_calls.empty()) continue;
    auto* last = dyn_cast<llvm::CallInst>(seen.recording_calls.back());
    if (last == nullptr || !tail_calls.may_be_one(*last)) continue;
    const llvm::ReturnInst* ret = return_after(*last);
    if (ret == nullptr) continue;
    seen.tail.call = last;
    if (ret->getParent() != &block) {
      seen.tail.return_block = const_cast<llvm::BasicBlock*>(ret->getParent());
      seen.tail.return_block_id = ids[ret->getParent()];
    }
  }
  return result;
}

}  // namespace pathspool::pass
