#include "instrument.h"

#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pathspool/wire/arena.h"
#include "unwinding.h"

namespace pathspool::pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using wire::Control;
using wire::Word;

// A block writes at most this many words, so a function with fewer blocks than the slack has room
// for can do without looking on its way from one look to the next.
constexpr unsigned kMostWordsPerBlock = 4;
constexpr std::size_t kManyBlocks = wire::kSlackWords / kMostWordsPerBlock / 2;

// Functions that LLVM knows to leave other memory alone, whatever the program makes of them.
bool allocates(llvm::StringRef name) {
  for (const char* known : {"malloc", "calloc", "realloc", "free", "strdup", "strndup", "valloc",
                            "memalign", "aligned_alloc", "posix_memalign"}) {
    if (name == known) return true;
  }
  for (const char* prefix : {"_Znw", "_Zna", "_Zdl", "_Zda"}) {
    if (name.substr(0, 4) == prefix) return true;
  }
  return false;
}

Callees callees_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const bool plain = callee != nullptr && !callee->isDeclaration() && !allocates(callee->getName());
  return plain ? Callees::plain : Callees::believed_harmless;
}

Callees callees_of(const std::vector<llvm::CallBase*>& calls) {
  for (const llvm::CallBase* call : calls) {
    if (callees_of(*call) == Callees::believed_harmless) return Callees::believed_harmless;
  }
  return Callees::plain;
}

class Inserter {
 public:
  Inserter(FunctionSurvey survey, unsigned index, Word tag, const ModuleRecord& record,
           const RuntimeFaces& faces)
      : survey_(std::move(survey)),
        function_(*survey_.function),
        index_(index),
        tag_(tag),
        record_(record),
        faces_(faces),
        cursor_(function_, faces) {}

  void run() {
    if (survey_.needs_frame_token()) make_frame_token();
    for (BlockSurvey& block : survey_.blocks) return_from_tail_calls(block);
    // Blocks are split from here on: what belongs to which is remembered.
    for (const BlockSurvey& block : survey_.blocks) {
      ends_.push_back(block.block->getTerminator());
      starts_.push_back(start_of(block));
    }
    make_edges_after_invokes();
    for (std::size_t i = 0; i < survey_.blocks.size(); ++i) {
      insert(survey_.blocks[i], starts_[i], ends_[i]);
    }
    // Last, since it replaces calls.
    catch_unwinding(survey_, [this](llvm::Instruction* before) {
      reload(before, Callees::believed_harmless);
      end_frame(before);
    });
    cursor_.promote();
  }

 private:
  // An address in the frame, which no other frame has that is open at the same time: a variable
  // stays one of its own when the function is inlined.
  void make_frame_token() {
    llvm::IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    llvm::AllocaInst* variable =
        builder.CreateAlloca(builder.getInt8Ty(), nullptr, "pathspool.frame");
    variable->setAlignment(llvm::Align(16));
    frame_ = variable;
  }

  llvm::Value* token(llvm::Instruction* before) const {
    llvm::IRBuilder<> builder(before);
    llvm::Value* address = builder.CreatePtrToInt(frame_, faces_.pair);
    llvm::Value* bits = builder.CreateTrunc(builder.CreateLShr(address, 4), faces_.word);
    return builder.CreateOr(bits, llvm::ConstantInt::get(faces_.word, wire::kTokenBit));
  }

  static llvm::Instruction* start_of(const BlockSurvey& block) {
    auto at = block.block->getFirstInsertionPt();
    while (block.id == 1 && isa<llvm::AllocaInst>(*at)) ++at;
    return &*at;
  }

  // What the code generator would do to make the tail call.
  static void return_from_tail_calls(BlockSurvey& block) {
    llvm::BasicBlock* target = block.tail.return_block;
    if (target == nullptr) return;
    auto* jump = llvm::cast<llvm::BranchInst>(block.block->getTerminator());
    const auto* shared = llvm::cast<llvm::ReturnInst>(target->getTerminator());
    llvm::Value* value = returned_value(*shared, *block.block);
    llvm::ReturnInst* ret = llvm::ReturnInst::Create(jump->getContext(), value, jump);
    ret->setDebugLoc(jump->getDebugLoc());
    target->removePredecessor(block.block, true);
    jump->eraseFromParent();
  }

  void make_edges_after_invokes() {
    for (const llvm::Instruction* end : ends_) {
      const auto* invoke = dyn_cast<llvm::InvokeInst>(end);
      if (invoke == nullptr) continue;
      auto* from = const_cast<llvm::BasicBlock*>(invoke->getParent());
      llvm::BasicBlock* edge = llvm::SplitEdge(from, invoke->getNormalDest());
      reload(edge->getTerminator(), callees_of(*invoke));
    }
  }

  void reload(llvm::Instruction* before, Callees callees) {
    cursor_.load_from_thread(before, callees);
    cursor_.look(before);
  }

  void end_frame(llvm::Instruction* before) {
    cursor_.write(before, wire::exit_word(tag_));
    cursor_.store_to_thread(before, Callees::believed_harmless);
  }

  void enter(llvm::Instruction* before, bool exits) {
    llvm::IRBuilder<> builder(before);
    llvm::Value* base = builder.CreateLoad(faces_.word, record_.base_address());
    const Word kind = frame_ == nullptr ? wire::kEnterKind : wire::kEnterWithFrameKind;
    llvm::Value* word = builder.CreateAdd(
        base, llvm::ConstantInt::get(faces_.word, kind | (exits ? wire::kExits : 0) | index_));
    if (frame_ == nullptr) {
      cursor_.write(before, word);
    } else {
      cursor_.write_pair(before, word, token(before));
    }
  }

  void write_block(llvm::Instruction* before, unsigned id, bool exits) {
    if (id <= wire::kLargestShortBlock) {
      cursor_.write(before, wire::block_word(tag_, id) | (exits ? wire::kExits : 0));
      return;
    }
    cursor_.write_pair(
        before, llvm::ConstantInt::get(faces_.word, wire::control_word(Control::wide_block, tag_)),
        llvm::ConstantInt::get(faces_.word, id));
    if (exits) cursor_.write(before, wire::exit_word(tag_));
  }

  void open_block(const BlockSurvey& block, llvm::Instruction* start, bool exits) {
    if (block.id == 1) {
      cursor_.load_from_thread(start, Callees::plain);
      cursor_.look(start);
      enter(start, exits);
      return;
    }
    if (block.is_landing_pad) {
      reload(start, Callees::believed_harmless);
      cursor_.write_pair(start,
                         llvm::ConstantInt::get(faces_.word, wire::control_word(Control::unwound)),
                         token(start));
    } else if (block.is_loop_header || survey_.blocks.size() > kManyBlocks) {
      cursor_.look(start);
    }
    write_block(start, block.id, exits);
  }

  // setjmp and its like come back: frames above this one may have gone.
  void note_second_returns(const BlockSurvey& block) {
    for (llvm::CallBase* call : block.recording_calls) {
      if (!call->hasFnAttr(llvm::Attribute::ReturnsTwice) || !isa<llvm::CallInst>(call)) continue;
      llvm::IRBuilder<> builder(call->getNextNode());
      llvm::FunctionCallee resumed = faces_.resumed;
      llvm::Type* bytes = resumed.getFunctionType()->getParamType(0);
      builder.CreateCall(resumed, {builder.CreatePointerCast(frame_, bytes)});
    }
  }

  void insert(const BlockSurvey& block, llvm::Instruction* start, llvm::Instruction* end) {
    const bool is_last = isa<llvm::ReturnInst>(end) || isa<llvm::ResumeInst>(end);
    const std::size_t calls = block.recording_calls.size();
    const bool has_tail = block.tail.call != nullptr;
    // Nothing can come between the block and the end of its frame.
    const bool exits_at_once = is_last && calls == (has_tail ? 1U : 0U);
    const bool exits_elsewhere = exits_at_once && block.tail.return_block != nullptr;

    open_block(block, start, exits_at_once && !exits_elsewhere);
    if (exits_elsewhere) write_block(start, block.tail.return_block_id, true);
    const Callees callees = callees_of(block.recording_calls);
    if (calls > 0 || is_last) cursor_.store_to_thread(start, callees);
    note_second_returns(block);
    if (calls == 0 || exits_at_once) return;

    if (has_tail) {
      reload(block.tail.call, callees);
      if (block.tail.return_block == nullptr) {
        end_frame(block.tail.call);
      } else {
        write_block(block.tail.call, block.tail.return_block_id, true);
        cursor_.store_to_thread(block.tail.call, Callees::believed_harmless);
      }
    } else if (is_last) {
      reload(end, callees);
      end_frame(end);
    } else if (!isa<llvm::InvokeInst>(end) && !isa<llvm::UnreachableInst>(end)) {
      reload(end, callees);
    }
  }

  FunctionSurvey survey_;
  llvm::Function& function_;
  unsigned index_;
  Word tag_;
  const ModuleRecord& record_;
  const RuntimeFaces& faces_;
  Cursor cursor_;
  llvm::Value* frame_ = nullptr;
  std::vector<llvm::Instruction*> starts_;
  std::vector<llvm::Instruction*> ends_;
};

}  // namespace

void instrument(const FunctionSurvey& survey, unsigned index, Word tag, const ModuleRecord& record,
                const RuntimeFaces& faces) {
  Inserter(survey, index, tag, record, faces).run();
}

}  // namespace pathspool::pass
