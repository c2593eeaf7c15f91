// exit() in a function with something to destroy: it is not destroyed, static objects are.
// expect: __cxx_global_var_init( Noisy::Noisy ) main!( f!( Noisy::Noisy Noisy::~Noisy ) )
// expect -O0 optimized: _GLOBAL__sub_I_exit_in_cxx.cpp( __cxx_global_var_init( Noisy::Noisy ) )
//    main!( f!( Noisy::Noisy Noisy::~Noisy ) )
// expect -O1+ optimized: _GLOBAL__sub_I_exit_in_cxx.cpp( Noisy::Noisy )
//    main!( f!( Noisy::Noisy Noisy::~Noisy ) )
// expect status: 5
#include <cstdio>
#include <cstdlib>

#include "keep.h"

struct Noisy {
  explicit Noisy(int n);
  ~Noisy();
  int number;
};
KEEP Noisy::Noisy(int n) : number(n) { std::printf("+%d\n", n); }
KEEP Noisy::~Noisy() { std::printf("-%d\n", number); }

static Noisy global(1);

KEEP static void f() {
  Noisy local(2);
  std::exit(5);
}

int main() {
  f();
  return 0;
}
