// dlopen, call, dlclose, and again; another plugin of other functions in between.
// build: $CC -I$HERE/.. -fPIC -shared $HERE/parts/plugin_a.c -o plugin_a.so
// build: $CC -I$HERE/.. -fPIC -shared $HERE/parts/plugin_b.c -o plugin_b.so
// build: $CC -I$HERE/.. $SOURCE -o $PROGRAM -ldl
// expect: main( use( plugin_start plugin_a.c:plugin_call( plugin_a.c:helper ) plugin_end ) use( plugin_b.c:plugin_call(
//    plugin_b.c:helper plugin_b.c:helper ) ) use( plugin_start plugin_a.c:plugin_call( plugin_a.c:helper )
//    plugin_end ) main_helper )
#include <dlfcn.h>
#include <stdio.h>

#include "keep.h"

KEEP static void use(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    puts(dlerror());
    return;
  }
  int (*call)(int) = (int (*)(int))dlsym(library, "plugin_call");
  printf("%d\n", call(1));
  dlclose(library);
  DONE;
}
KEEP static void main_helper(void) { puts("end"); DONE; }

int main(void) {
  use("./plugin_a.so");
  use("./plugin_b.so");
  use("./plugin_a.so");
  main_helper();
  return 0;
}
