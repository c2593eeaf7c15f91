// The runtime's start: called by the executable before anything else of it runs (start.cpp), and by
// the library's own constructor for programs whose executable is not instrumented. Whichever comes
// first counts.
#include <signal.h>

#include "process.h"

extern "C" {
void pathspool_runtime_start();
void pathspool_runtime_stop();
void pathspool_runtime_mark(const char*);
int pathspool_runtime_recording();
}

namespace pathspool::runtime {
namespace {

#ifdef PATHSPOOL_STATIC
// A linker takes from an archive only what something asks for; weak references, as record.h makes
// them, do not ask, and sigaction must come from here before libc's does.
__attribute__((used)) const volatile auto keep_start = pathspool_runtime_start;
__attribute__((used)) const volatile auto keep_stop = pathspool_runtime_stop;
__attribute__((used)) const volatile auto keep_mark = pathspool_runtime_mark;
__attribute__((used)) const volatile auto keep_recording = pathspool_runtime_recording;
__attribute__((used)) const volatile auto keep_sigaction = &::sigaction;
#endif

__attribute__((constructor(101))) void attach_when_loaded(int, char**, char** environment) {
  attach(environment);
}

}  // namespace
}  // namespace pathspool::runtime

PATHSPOOL_EXPORT void pathspool_begin(int argc, char** argv, char** environment) {
  // Here and not in the constructor, which also runs when a library is loaded in the middle of a
  // run.
  pathspool::runtime::obey_options(argc, argv, environment);
  pathspool::runtime::attach(environment);
}
