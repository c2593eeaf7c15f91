// Handlers run on rings of their own, so that they never garble the words of what they interrupt,
// which may hold its cursor in a register. See thread_state.h for the rules.
#include "handlers.h"

#include <ucontext.h>

#include "process.h"
#include "ring.h"
#include "thread_ring.h"
#include "thread_state.h"

namespace pathspool::runtime {
namespace {

// The compiler keeps the order of what is before and after; a handler on the same thread sees it
// so.
void in_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

bool is_in_ring_of_level(const Word* cursor, std::uint32_t level) {
  const std::uint32_t ring = thread_state.rings[level];
  return ring != 0 && process.arena.holds(cursor) && process.arena.ring_of(cursor) + 1 == ring;
}

// Whether an address is in the handler's part of the stack. run_handler's own frame counts.
bool has_frame(const Interruption& interruption, std::uintptr_t frame) {
  if (interruption.alt_high != 0 &&
      (frame < interruption.alt_low || frame >= interruption.alt_high)) {
    return false;
  }
  return frame <= interruption.frame;
}

std::uintptr_t stack_pointer_in(const ucontext_t& context) {
#if defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#endif
}

// siglongjmp left the handlers above the level that this frame belongs to. Their rings rest where
// they are; what they had interrupted may have written words after its cursor was last stored.
void leave_handlers(std::uintptr_t frame) {
  ThreadState& thread = thread_state;
  const SignalsBlocked blocked;
  Word* cursor = pathspool_cursor;
  while (thread.level > 0 && !has_frame(thread.interruptions[thread.level], frame)) {
    if (is_in_ring_of_level(cursor, thread.level)) thread.resting[thread.level] = cursor;
    cursor = true_end(thread.interruptions[thread.level].cursor);
    --thread.level;
  }
  pathspool_cursor = cursor;
}

}  // namespace

void run_handler(int signal, siginfo_t* info, void* context) {
  const Handler handler = handler_of(signal);
  ThreadState& thread = thread_state;
  const ucontext_t& interrupted = *static_cast<const ucontext_t*>(context);
  // Between a jump out of a handler and pathspool_resumed(), or after a jump to code without
  // instrumentation.
  if (const std::uintptr_t stack_pointer = stack_pointer_in(interrupted);
      thread.level != 0 && !has_frame(thread.interruptions[thread.level], stack_pointer)) {
    leave_handlers(stack_pointer);
  }
  const std::uint32_t level = thread.level + 1;
  if (level > kSignalLevels) {
    Word* const cursor = pathspool_cursor;
    pathspool_cursor = idle_cursor();
    handler(signal, info, context);
    pathspool_cursor = cursor;
    return;
  }

  const std::uintptr_t frame = address_of(__builtin_frame_address(0));
  const stack_t& stack = interrupted.uc_stack;
  std::uintptr_t alt_low = address_of(stack.ss_sp);
  std::uintptr_t alt_high = alt_low + stack.ss_size;
  if (frame < alt_low || frame >= alt_high) alt_low = alt_high = 0;

  Interruption& interruption = thread.interruptions[level];
  const Interruption before = interruption;
  interruption = {frame, alt_low, alt_high, pathspool_cursor};
  in_order();
  thread.level = level;
  in_order();
  pathspool_cursor = thread.resting[level] != nullptr ? thread.resting[level] : first_cursor();
  in_order();
  handler(signal, info, context);
  in_order();
  if (is_in_ring_of_level(pathspool_cursor, level)) thread.resting[level] = pathspool_cursor;
  in_order();
  // Not from a variable: a fork in the handler replaces it.
  pathspool_cursor = interruption.cursor;
  in_order();
  thread.level = level - 1;
  in_order();
  interruption = before;
}

}  // namespace pathspool::runtime

PATHSPOOL_EXPORT void pathspool_resumed(const void* frame) {
  using namespace pathspool;
  if (runtime::thread_state.level != 0) runtime::leave_handlers(runtime::address_of(frame));
  runtime::write_pair(wire::control_word(wire::Control::unwound),
                      wire::frame_token(runtime::address_of(frame)));
}
