// Instrumented code, written by hand, for programs that test the runtime.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "pathspool/wire/arena.h"
#include "pathspool/wire/module.h"
#include "pathspool/wire/word.h"

extern "C" {
extern __thread pathspool::wire::Word* pathspool_cursor;
pathspool::wire::Word* pathspool_chunk_full(pathspool::wire::Word* cursor);
void pathspool_register_module(pathspool::wire::Module* module);
void pathspool_resumed(const void* frame);
}

namespace pathspool::testing {

using wire::Word;

inline Word number(Word value) { return wire::kBlockKind | value; }

inline Word* look(Word* cursor) {
  const auto address = reinterpret_cast<std::uintptr_t>(cursor);
  return (address & wire::kChunkFullBit) != 0 ? pathspool_chunk_full(cursor) : cursor;
}

// As at the start of a function that makes calls.
inline void write_word(Word word) {
  Word* const cursor = look(pathspool_cursor);
  *static_cast<volatile Word*>(cursor) = word;
  pathspool_cursor = cursor + 1;
}

inline void write_numbers(Word first, Word last) {
  for (Word value = first; value < last; ++value) write_word(number(value));
}

inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "victim: %s\n", what);
  std::_Exit(99);
}

struct Scenario {
  const char* name;
  void (*run)();
};

extern const Scenario kProcessScenarios[];  // each ends with an empty one
extern const Scenario kSignalScenarios[];

}  // namespace pathspool::testing

#define DEMAND(condition) ::pathspool::testing::demand(condition, #condition)
