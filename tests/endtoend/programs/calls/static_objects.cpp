// Constructors before main, destructors after it, and initial values that take a path.
// expect: __cxx_global_var_init( chosen( left ) ) __cxx_global_var_init.2( Noisy::Noisy )
//    __cxx_global_var_init.3( Noisy::Noisy )
//    main( local( Noisy::Noisy ) local ) Noisy::~Noisy Noisy::~Noisy Noisy::~Noisy
// expect -O0 optimized: _GLOBAL__sub_I_static_objects.cpp( __cxx_global_var_init( chosen( left ) )
//    __cxx_global_var_init.2( Noisy::Noisy ) __cxx_global_var_init.3( Noisy::Noisy ) )
//    main( local( Noisy::Noisy ) local ) Noisy::~Noisy Noisy::~Noisy Noisy::~Noisy
// expect -O1+ optimized: _GLOBAL__sub_I_static_objects.cpp( chosen( left ) Noisy::Noisy
//    Noisy::Noisy )
//    main( local( Noisy::Noisy ) local ) Noisy::~Noisy Noisy::~Noisy Noisy::~Noisy
#include <cstdio>

#include "keep.h"

struct Noisy {
  explicit Noisy(int number);
  ~Noisy();
  int number;
};
KEEP Noisy::Noisy(int n) : number(n) { std::printf("+%d\n", number); }
KEEP Noisy::~Noisy() { std::printf("-%d\n", number); }

static volatile bool flag = true;
KEEP static int left() {
  DONE;
  return 1;
}
KEEP static int right() {
  DONE;
  return 2;
}
KEEP static int chosen() {
  int result = flag ? left() : right();
  DONE;
  return result;
}

int value = chosen() == 1 ? 10 : 20;
static Noisy first(1);
static Noisy second(2);

KEEP static int local() {
  static Noisy once(3);
  DONE;
  return once.number;
}

int main() {
  int sum = local();
  sum += local();
  std::printf("%d %d\n", sum, value);
  return 0;
}
