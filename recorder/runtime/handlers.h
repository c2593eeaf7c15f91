// The program's own signal handlers, and the one that the kernel calls in their place.
#pragma once

#include <signal.h>

namespace pathspool::runtime {

using Handler = void (*)(int, siginfo_t*, void*);

// In handlers.cpp: runs the program's handler of this signal on a ring of its own.
void run_handler(int signal, siginfo_t* info, void* context);

// In signals.cpp. Handlers that want only the signal's number get, and overlook, the rest as well:
// both machines pass arguments in registers.
Handler handler_of(int signal);

}  // namespace pathspool::runtime
