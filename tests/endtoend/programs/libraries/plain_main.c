// Two plugins, each on its own, in a program that is not recorded itself: one runtime for both.
// build: $CC -I$HERE/.. -fPIC -shared $HERE/parts/plugin_a.c -o plugin_a.so
// build: $CC -I$HERE/.. -fPIC -shared $HERE/parts/plugin_b.c -o plugin_b.so
// build: $PLAIN_CC -I$HERE/.. $SOURCE -o $PROGRAM -ldl
// expect: plugin_start 2*( plugin_a.c:plugin_call( plugin_a.c:helper ) plugin_b.c:plugin_call(
//    plugin_b.c:helper plugin_b.c:helper ) ) plugin_end
#include <dlfcn.h>
#include <stdio.h>

static int call(void *library) {
  int (*function)(int) = (int (*)(int))dlsym(library, "plugin_call");
  return function(1);
}

int main(void) {
  void *a = dlopen("./plugin_a.so", RTLD_NOW | RTLD_LOCAL);
  void *b = dlopen("./plugin_b.so", RTLD_NOW | RTLD_LOCAL);
  if (a == NULL || b == NULL) {
    puts(dlerror());
    return 1;
  }
  for (int i = 0; i < 2; ++i) printf("%d %d\n", call(a), call(b));
  dlclose(a);
  dlclose(b);
  return 0;
}
