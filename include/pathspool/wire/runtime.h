// The names by which instrumented code calls the runtime. The pass declares them, the runtime
// defines them; nothing else is shared between the two but the words and the module record.
#pragma once

// thread_local uint32_t* : where this thread's next word goes. Instrumented code keeps it in a
// register and stores it back before every call. Its first value has kChunkFullBit set, so that a
// thread's first look at that bit is what registers the thread.
#define PATHSPOOL_CURSOR "pathspool_cursor"

// uint32_t* chunk_full(uint32_t* cursor): called when a look at the cursor finds kChunkFullBit set.
// Returns where to go on, and has stored it in the thread's cursor too. Keeps every general
// register but those that LLVM's preserve_most convention lets go.
#define PATHSPOOL_CHUNK_FULL "pathspool_chunk_full"

// void register_module(wire::Module*), from a constructor of the highest priority; more than once
// is as good as once.
#define PATHSPOOL_REGISTER_MODULE "pathspool_register_module"

// void resumed(const void* frame): called in a function that called setjmp, vfork or the like, when
// that returns, be it for the first time or again; frame is the address its token is made of.
// Writes Control::unwound, to the ring that the thread had when the frame was entered.
#define PATHSPOOL_RESUMED "pathspool_resumed"
