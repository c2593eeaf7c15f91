#include "promises.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "survey.h"

namespace pathspool::pass {
namespace {

constexpr llvm::Attribute::AttrKind kPromises[] = {
    llvm::Attribute::Speculatable,
#if LLVM_VERSION_MAJOR >= 16
    llvm::Attribute::Memory,
#else
    llvm::Attribute::ReadNone,
    llvm::Attribute::ReadOnly,
    llvm::Attribute::WriteOnly,
    llvm::Attribute::ArgMemOnly,
    llvm::Attribute::InaccessibleMemOnly,
    llvm::Attribute::InaccessibleMemOrArgMemOnly,
#endif
};

}  // namespace

void take_back_promises(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isIntrinsic()) {
      for (const auto promise : kPromises) function.removeFnAttr(promise);
    }
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || !may_record(*call)) continue;
        for (const auto promise : kPromises) call->removeFnAttr(promise);
      }
    }
  }
}

}  // namespace pathspool::pass
