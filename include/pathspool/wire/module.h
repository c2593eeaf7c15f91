// What the pass leaves in every object file: a record that the runtime registers when the object is
// loaded, and the table of the object's functions, which the collector reads.
#pragma once

#include <cstdint>

namespace pathspool::wire {

inline constexpr std::uint32_t kModuleVersion = 1;

// What a program was instrumented to write.
enum class Mode : std::uint32_t { blocks = 0, bits = 1, memory = 2 };

// The pass lays it out field by field; the runtime reads it. One per object file, writable, in the
// section of this name, so that an executable can find all of its own before any code runs.
#define PATHSPOOL_MODULE_SECTION "pathspool_modules"
struct Module {
  std::uint32_t version;      // kModuleVersion
  std::uint32_t base;         // of its functions' numbers: written by the runtime, added by enters
  std::uint32_t functions;    // how many numbers it needs
  std::uint32_t mode;         // Mode
  std::uint64_t hash;         // of the table: modules with the same table share their numbers
  std::uint64_t table_bytes;  // of the table
  const unsigned char* table;
};

// The table's own section.
#define PATHSPOOL_TABLE_SECTION "pathspool_table"

// The table is a string of bytes. A number is LEB128 (seven bits a byte, lowest first); a signed
// number is the zigzag of it. In order:
//
//   number   module tag (word.h)
//   number   count of strings, then each: number length, bytes
//   string   the compiled file      (`string` from here on: its number in that list)
//   string   the folder it was compiled in
//   number   count of functions, then each:
//     string   name, as the linker knows it
//     string   name for people, demangled
//     string   source file
//     number   line (0: unknown)
//     number   count of blocks, then each:
//       number   terminator (Terminator)
//       number   count of successors, then each: number of the block
//       number   count of lines, then each: signed difference to the one before (at first: the
//                function's line; then the line before, also of the block before)
//       number   count of call sites in order, then each:
//         number   CallKind
//         string   the callee's name, unless it is indirect
//
// String 0 is empty.
enum class Terminator : std::uint8_t {
  unknown = 0,
  jump = 1,         // to its only successor
  conditional = 2,  // successors: if true, if false
  switched = 3,     // successors: default, then the cases in order
  indirect = 4,     // a computed goto
  invoke = 5,       // a call; successors: normal, exceptional
  returned = 6,
  resumed = 7,      // goes on unwinding
  unreachable = 8,  // after a call that does not return, say
};

enum class CallKind : std::uint8_t {
  direct = 0,    // of a function of the same table
  external = 1,  // of another function, known by name
  indirect = 2,  // through a pointer
};

}  // namespace pathspool::wire
