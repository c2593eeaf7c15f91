// What <pathspool/record.h> calls.
#include "process.h"
#include "ring.h"
#include "thread_ring.h"
#include "thread_state.h"

namespace pathspool::runtime {
namespace {

// A handler cannot speak for what it interrupted, whose cursor may be in a register.
bool is_in_handler() { return thread_state.level != 0; }

void write_word(Word word) {
  Word* const cursor = with_room(pathspool_cursor);
  *static_cast<volatile Word*>(cursor) = word;
  pathspool_cursor = cursor + 1;
}

// The streams of handlers end where the thread's own does.
void pause_level(std::uint32_t level, Word* cursor) {
  const std::uint32_t ring = thread_state.rings[level];
  if (ring == 0 || ring == wire::kNoRing || cursor == nullptr) return;
  pathspool_cursor = cursor;
  write_word(wire::control_word(wire::Control::paused));
}

std::uint32_t length_of_mark(const char* text) {
  std::uint32_t length = 0;
  while (text[length] != 0 && length < wire::kLongestMarkBytes) ++length;
  // Cut between characters of UTF-8, not within one.
  if (text[length] != 0) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) --length;
  }
  return length;
}

void write_mark(const char* text) {
  const std::uint32_t length = length_of_mark(text);
  const std::uint32_t words = (length + 3) / 4;
  Word* const cursor = with_room(pathspool_cursor);
  for (std::uint32_t word = 0; word < words; ++word) {
    Word letters = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at = word * 4 + i;
      letters |= Word{at < length ? static_cast<unsigned char>(text[at]) : 0xffU} << (8 * i);
    }
    cursor[1 + word] = letters;
  }
  // Last: a program that dies before this has not written the mark at all.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  *static_cast<volatile Word*>(cursor) = wire::control_word(wire::Control::mark, length);
  pathspool_cursor = cursor + 1 + words;
}

bool is_recording() {
  if (!is_recorded() || !takes_events(process.arena.header())) return false;
  if (thread_state.status == ThreadStatus::fresh) {
    return process.arena.header().starts_paused == 0;
  }
  return thread_state.status == ThreadStatus::recording;
}

}  // namespace
}  // namespace pathspool::runtime

using namespace pathspool::runtime;

PATHSPOOL_EXPORT int pathspool_runtime_recording() { return is_recording() ? 1 : 0; }

PATHSPOOL_EXPORT void pathspool_runtime_stop() {
  if (!is_recording() || is_in_handler()) return;
  const SignalsBlocked blocked;
  for (std::uint32_t level = kSignalLevels; level > 0; --level) {
    Word* const cursor = pathspool_cursor;
    pause_level(level, thread_state.resting[level]);
    pathspool_cursor = cursor;
  }
  if (is_in_own_ring()) pause_level(0, pathspool_cursor);
  end_rings();
  thread_state.status = ThreadStatus::paused;
  pathspool_cursor = idle_cursor();
}

PATHSPOOL_EXPORT void pathspool_runtime_start() {
  if (!is_recorded() || is_in_handler()) return;
  ThreadState& thread = thread_state;
  const bool never_began =
      thread.status == ThreadStatus::fresh && process.arena.header().starts_paused != 0;
  if (thread.status != ThreadStatus::paused && !never_began) return;
  thread.status = ThreadStatus::recording;
  claim_level(process.first_serial.load(std::memory_order_relaxed), 0);
}

PATHSPOOL_EXPORT void pathspool_runtime_mark(const char* text) {
  if (text == nullptr || !is_recording()) return;
  const SignalsBlocked blocked;
  write_mark(text);
}
