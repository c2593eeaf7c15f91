// The words that an instrumented program writes into its rings, and the collector reads. A word is
// never zero: the first zero after a ring's last complete chunk is where a killed program stopped.
//
//   31 30 29 28        16 15          0
//   0  0  code(6)  argument(24)            control
//   0  1  x  tag(13)      block(16)        block: of the running function
//   1  0  x  function(29)                  enter: the function and, implied, its block 1
//   1  1  x  function(29)                  enter, and the next word is the frame's token
//
// x: the frame ends after this block (nothing can come between), so no exit word follows.
//
// C++17, since the pass is built as LLVM's headers want it.
#pragma once

#include <cstdint>

namespace pathspool::wire {

using Word = std::uint32_t;

inline constexpr unsigned kKindShift = 30;
inline constexpr Word kControlKind = 0U << kKindShift;
inline constexpr Word kBlockKind = 1U << kKindShift;
inline constexpr Word kEnterKind = 2U << kKindShift;
inline constexpr Word kEnterWithFrameKind = 3U << kKindShift;
inline constexpr Word kKindMask = 3U << kKindShift;

inline constexpr Word kExits = 1U << 29;

// Functions are numbered over the whole recording, a run of numbers for each module.
inline constexpr Word kFunctionMask = kExits - 1;
// The numbers that modules get start here. A smaller one was written by code that ran before its
// module was registered, and names no function.
inline constexpr Word kFirstModuleBase = 1U << 20;

// Block and exit words carry some bits of the function they belong to. They cost nothing (the whole
// word is a constant) and show a reader that a frame has gone without a word: see collector/.
inline constexpr unsigned kTagShift = 16;
inline constexpr Word kTagMask = (1U << 13) - 1;
inline constexpr Word kLargestShortBlock = (1U << 16) - 1;

inline constexpr unsigned kCodeShift = 24;
inline constexpr Word kCodeMask = 63U << kCodeShift;
inline constexpr Word kArgumentMask = (1U << kCodeShift) - 1;

enum class Control : Word {
  exit = 1,        // argument: tag
  wide_block = 2,  // argument: tag; the next word is the block's id
  unwound = 3,     // the next word is a frame's token: every frame above that one has ended
  fork = 4,        // the next word is a token that the ring of the forked child names
  mark = 5,        // argument: length of a text in bytes, which follows, padded with 0xff bytes
  paused = 6,      // events are missing from here to the end of this ring's stream
};

constexpr Word control_word(Control control, Word argument = 0) {
  return kControlKind | (static_cast<Word>(control) << kCodeShift) | (argument & kArgumentMask);
}
constexpr Word exit_word(Word tag) { return control_word(Control::exit, tag); }
constexpr Word block_word(Word tag, Word block) { return kBlockKind | (tag << kTagShift) | block; }

// The tag of a function: its module's, which is a hash, plus its index in the module.
constexpr Word tag_of(Word module_tag, Word index) { return (module_tag + index) & kTagMask; }

// A frame's token is made of an address in the frame. Frames are 16 bytes or more, and those that
// are open at the same time lie within 32 GiB.
inline constexpr Word kTokenBit = 1U << 31;
constexpr Word frame_token(std::uint64_t address) {
  return kTokenBit | static_cast<Word>((address >> 4) & (kTokenBit - 1));
}

// The token of no frame: after `unwound` to it, none is open.
inline constexpr Word kNoFrameToken = kTokenBit;

// The longest record in words: a mark of this many bytes.
inline constexpr Word kLongestMarkBytes = 4096;

}  // namespace pathspool::wire
