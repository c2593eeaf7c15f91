// Virtual bases, thunks that adjust `this` and results, and one of a variadic function.
// expect outline: main
#include <cstdarg>
#include <cstdio>

#include "keep.h"

struct Left {
  int left = 1;
  virtual ~Left() = default;
  virtual int number() = 0;
  virtual Left* self() = 0;
};
struct Right {
  int right = 2;
  virtual ~Right() = default;
  virtual int sum(int n, ...) = 0;
  virtual Right* other() = 0;
};
struct Top : virtual Left, virtual Right {
  KEEP int number() override {
    DONE;
    return left + right;
  }
  KEEP Top* self() override { return this; }
  KEEP Top* other() override { return this; }
  KEEP int sum(int n, ...) override {
    va_list rest;
    va_start(rest, n);
    int result = right;
    for (int i = 0; i < n; ++i) result += va_arg(rest, int);
    va_end(rest);
    return result;
  }
};

KEEP static void use(Left& l, Right& r) {
  std::printf("%d %d %d %d\n", l.number(), r.sum(3, 10, 20, 30), l.self()->left, r.other()->right);
}

int main() {
  Top top;
  use(top, top);
  Left* made = new Top;
  use(*made, *dynamic_cast<Right*>(made));
  delete made;
  return 0;
}
