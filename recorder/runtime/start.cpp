// Linked into every executable, as an object: registers the executable's modules before any of its
// code runs, be it a constructor.
#include "pathspool/wire/module.h"

extern "C" {
void pathspool_begin(int argc, char** argv, char** environment);
void pathspool_register_module(pathspool::wire::Module* module);

// The linker makes these for a section with such a name, if there is one.
extern pathspool::wire::Module __start_pathspool_modules[]
    __attribute__((weak, visibility("hidden")));
extern pathspool::wire::Module __stop_pathspool_modules[]
    __attribute__((weak, visibility("hidden")));
}

namespace {

void start(int argc, char** argv, char** environment) {
  pathspool_begin(argc, argv, environment);
  for (pathspool::wire::Module* module = __start_pathspool_modules;
       module < __stop_pathspool_modules; ++module) {
    pathspool_register_module(module);
  }
}

__attribute__((section(".preinit_array"), used)) void (*const at_start)(int, char**,
                                                                        char**) = start;

}  // namespace
