#include "unwinding.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace pathspool::pass {
namespace {

using llvm::dyn_cast;

// The personality of C: runs cleanups, catches nothing.
constexpr const char* kPlainPersonality = "__gcc_personality_v0";

bool needs_a_pad(const llvm::CallBase& call, const BlockSurvey& block) {
  return llvm::isa<llvm::CallInst>(call) && !call.doesNotThrow() && &call != block.tail.call &&
         !call.isMustTailCall() && !call.hasFnAttr(llvm::Attribute::ReturnsTwice);
}

llvm::BasicBlock* make_pad(llvm::Function& function,
                           const std::function<void(llvm::Instruction*)>& end_frame) {
  llvm::LLVMContext& context = function.getContext();
  if (!function.hasPersonalityFn()) {
    llvm::FunctionCallee personality = function.getParent()->getOrInsertFunction(
        kPlainPersonality, llvm::FunctionType::get(llvm::Type::getInt32Ty(context), true));
    function.setPersonalityFn(llvm::cast<llvm::Constant>(personality.getCallee()));
  }
  llvm::BasicBlock* pad = llvm::BasicBlock::Create(context, "pathspool.unwound", &function);
  llvm::IRBuilder<> builder(pad);
  llvm::Type* exception =
      llvm::StructType::get(context, {llvm::PointerType::getUnqual(llvm::Type::getInt8Ty(context)),
                                      llvm::Type::getInt32Ty(context)});
  llvm::LandingPadInst* landing = builder.CreateLandingPad(exception, 0);
  landing->setCleanup(true);
  end_frame(builder.CreateResume(landing));
  return pad;
}

}  // namespace

void catch_unwinding(FunctionSurvey& survey,
                     const std::function<void(llvm::Instruction*)>& end_frame) {
  llvm::Function& function = *survey.function;
  if (function.doesNotThrow()) return;  // nothing leaves it
  llvm::BasicBlock* pad = nullptr;
  for (BlockSurvey& block : survey.blocks) {
    // What clang lets a landing pad do with an exception that is not for it is to go on unwinding.
    if (block.is_landing_pad) block.block->getLandingPadInst()->setCleanup(true);
    for (llvm::CallBase*& call : block.recording_calls) {
      if (!needs_a_pad(*call, block)) continue;
      if (pad == nullptr) pad = make_pad(function, end_frame);
      auto* plain = llvm::cast<llvm::CallInst>(call);
      llvm::BasicBlock* rest = llvm::changeToInvokeAndSplitBasicBlock(plain, pad);
      call = llvm::cast<llvm::CallBase>(rest->getSinglePredecessor()->getTerminator());
    }
  }
}

}  // namespace pathspool::pass
