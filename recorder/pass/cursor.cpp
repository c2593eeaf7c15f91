#include "cursor.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "pathspool/wire/arena.h"
#include "pathspool/wire/runtime.h"

namespace pathspool::pass {
namespace {

constexpr std::uint32_t kHardlyEver = 1;
constexpr std::uint32_t kNearlyAlways = 1U << 20;

// Sanitizers leave accesses alone that are marked so.
void mark(llvm::Instruction* access, llvm::MDNode* own_scope, llvm::MDNode* other_scope) {
  llvm::LLVMContext& context = access->getContext();
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, own_scope);
  access->setMetadata(llvm::LLVMContext::MD_noalias, other_scope);
  access->setMetadata("nosanitize", llvm::MDNode::get(context, {}));
}

}  // namespace

RuntimeFaces::RuntimeFaces(llvm::Module& module)
    : word(llvm::Type::getInt32Ty(module.getContext())),
      pair(llvm::Type::getInt64Ty(module.getContext())),
      word_pointer(llvm::PointerType::getUnqual(word)) {
  llvm::LLVMContext& context = module.getContext();
  thread_cursor = module.getNamedGlobal(PATHSPOOL_CURSOR);
  if (thread_cursor == nullptr) {
    thread_cursor = new llvm::GlobalVariable(
        module, word_pointer, false, llvm::GlobalValue::ExternalLinkage, nullptr, PATHSPOOL_CURSOR,
        nullptr, llvm::GlobalValue::InitialExecTLSModel);
  }

  chunk_full = module.getOrInsertFunction(
      PATHSPOOL_CHUNK_FULL, llvm::FunctionType::get(word_pointer, {word_pointer}, false));
  llvm::Type* bytes = llvm::PointerType::getUnqual(llvm::Type::getInt8Ty(context));
  resumed = module.getOrInsertFunction(
      PATHSPOOL_RESUMED, llvm::FunctionType::get(llvm::Type::getVoidTy(context), {bytes}, false));
  for (llvm::FunctionCallee face : {chunk_full, resumed}) {
    auto* function = llvm::cast<llvm::Function>(face.getCallee());
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::Cold);
    // A dynamic linker that resolves it at the first call does not keep the registers that it does.
    function->addFnAttr(llvm::Attribute::NonLazyBind);
  }
  llvm::cast<llvm::Function>(chunk_full.getCallee())
      ->setCallingConv(llvm::CallingConv::PreserveMost);

  llvm::MDBuilder metadata(context);
  llvm::MDNode* domain = metadata.createAliasScopeDomain("pathspool");
  const auto scope = [&](const char* name) {
    return llvm::MDNode::get(context, {metadata.createAliasScope(name, domain)});
  };
  ring_scope = scope("ring");
  thread_scope = scope("thread");
}

Cursor::Cursor(llvm::Function& function, const RuntimeFaces& faces)
    : function_(function), faces_(faces) {
  llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  variable_ = builder.CreateAlloca(faces.word_pointer, nullptr, "pathspool.cursor");
}

void Cursor::load_from_thread(llvm::Instruction* before, Callees callees) {
  llvm::IRBuilder<> builder(before);
  llvm::LoadInst* loaded = builder.CreateLoad(faces_.word_pointer, faces_.thread_cursor,
                                              callees == Callees::believed_harmless);
  mark(loaded, faces_.thread_scope, faces_.ring_scope);
  builder.CreateStore(loaded, variable_);
}

void Cursor::store_to_thread(llvm::Instruction* before, Callees callees) {
  llvm::IRBuilder<> builder(before);
  llvm::Value* cursor = builder.CreateLoad(faces_.word_pointer, variable_);
  llvm::StoreInst* stored =
      builder.CreateStore(cursor, faces_.thread_cursor, callees == Callees::believed_harmless);
  mark(stored, faces_.thread_scope, faces_.ring_scope);
}

void Cursor::look(llvm::Instruction* before) {
  llvm::LLVMContext& context = function_.getContext();
  llvm::IRBuilder<> builder(before);
  llvm::Value* cursor = builder.CreateLoad(faces_.word_pointer, variable_);
  llvm::Value* bits = builder.CreatePtrToInt(cursor, faces_.pair);
  llvm::Value* full_bit =
      builder.CreateAnd(bits, llvm::ConstantInt::get(faces_.pair, wire::kChunkFullBit));
  llvm::Value* is_full = builder.CreateICmpNE(full_bit, llvm::ConstantInt::get(faces_.pair, 0));
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
      is_full, before, false,
      llvm::MDBuilder(context).createBranchWeights(kHardlyEver, kNearlyAlways));
  llvm::IRBuilder<> slow(then);
  llvm::CallInst* fresh = slow.CreateCall(faces_.chunk_full, {cursor});
  fresh->setCallingConv(llvm::CallingConv::PreserveMost);
  slow.CreateStore(fresh, variable_);
}

void Cursor::advance(llvm::IRBuilder<>& builder, llvm::Value* at, unsigned words) {
  llvm::Value* next = builder.CreateConstInBoundsGEP1_32(faces_.word, at, words);
  builder.CreateStore(next, variable_);
}

void Cursor::write(llvm::Instruction* before, llvm::Value* word) {
  llvm::IRBuilder<> builder(before);
  llvm::Value* at = builder.CreateLoad(faces_.word_pointer, variable_);
  llvm::StoreInst* stored = builder.CreateAlignedStore(word, at, llvm::Align(sizeof(wire::Word)));
  mark(stored, faces_.ring_scope, faces_.thread_scope);
  advance(builder, at, 1);
}

void Cursor::write(llvm::Instruction* before, wire::Word word) {
  write(before, llvm::ConstantInt::get(faces_.word, word));
}

void Cursor::write_pair(llvm::Instruction* before, llvm::Value* first, llvm::Value* second) {
  llvm::IRBuilder<> builder(before);
  llvm::Value* at = builder.CreateLoad(faces_.word_pointer, variable_);
  llvm::Value* low = builder.CreateZExt(first, faces_.pair);
  llvm::Value* high = builder.CreateShl(builder.CreateZExt(second, faces_.pair), 32);
  llvm::Value* place = builder.CreatePointerCast(at, llvm::PointerType::getUnqual(faces_.pair));
  llvm::StoreInst* stored = builder.CreateAlignedStore(builder.CreateOr(low, high), place,
                                                       llvm::Align(sizeof(wire::Word)));
  mark(stored, faces_.ring_scope, faces_.thread_scope);
  advance(builder, at, 2);
}

void Cursor::promote() {
  llvm::removeUnreachableBlocks(function_);
  llvm::DominatorTree dominators(function_);
  llvm::PromoteMemToReg({variable_}, dominators);
}

}  // namespace pathspool::pass
