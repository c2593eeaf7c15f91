#include "module_record.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pathspool/wire/module.h"
#include "pathspool/wire/runtime.h"

namespace pathspool::pass {
namespace {

// Before every other constructor: 0 is the highest priority.
constexpr int kConstructorPriority = 0;

}  // namespace

ModuleRecord::ModuleRecord(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* u32 = llvm::Type::getInt32Ty(context);
  llvm::Type* u64 = llvm::Type::getInt64Ty(context);
  llvm::Type* bytes = llvm::PointerType::getUnqual(llvm::Type::getInt8Ty(context));
  // As wire::Module.
  type_ = llvm::StructType::get(context, {u32, u32, u32, u32, u64, u64, bytes});
  record_ = new llvm::GlobalVariable(module, type_, false, llvm::GlobalValue::InternalLinkage,
                                     llvm::Constant::getNullValue(type_), "pathspool.module");
  record_->setSection(PATHSPOOL_MODULE_SECTION);
  record_->setAlignment(llvm::Align(alignof(wire::Module)));
}

llvm::Constant* ModuleRecord::base_address() const {
  llvm::Type* u32 = llvm::Type::getInt32Ty(module_.getContext());
  llvm::Constant* indexes[] = {llvm::ConstantInt::get(u32, 0), llvm::ConstantInt::get(u32, 1)};
  return llvm::ConstantExpr::getInBoundsGetElementPtr(type_, record_, indexes);
}

void ModuleRecord::finish(const TableWriter::Table& table) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::Constant* bytes = llvm::ConstantDataArray::getString(context, table.bytes, false);
  auto* stored =
      new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::InternalLinkage,
                               bytes, "pathspool.table");
  stored->setSection(PATHSPOOL_TABLE_SECTION);
  stored->setAlignment(llvm::Align(1));

  const auto number = [&](unsigned field, std::uint64_t value) -> llvm::Constant* {
    return llvm::ConstantInt::get(type_->getElementType(field), value);
  };
  record_->setInitializer(llvm::ConstantStruct::get(
      type_, {number(0, wire::kModuleVersion), number(1, 0), number(2, table.functions),
              number(3, static_cast<std::uint64_t>(wire::Mode::blocks)), number(4, table.hash),
              number(5, table.bytes.size()),
              llvm::ConstantExpr::getPointerCast(stored, type_->getElementType(6))}));

  auto* constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                             llvm::GlobalValue::InternalLinkage, "pathspool.register", &module_);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  llvm::Type* pointer = llvm::PointerType::getUnqual(llvm::Type::getInt8Ty(context));
  const llvm::FunctionCallee registers = module_.getOrInsertFunction(
      PATHSPOOL_REGISTER_MODULE,
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false));
  builder.CreateCall(registers, {llvm::ConstantExpr::getPointerCast(record_, pointer)});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module_, constructor, kConstructorPriority);
}

}  // namespace pathspool::pass
