// Virtual calls, member pointers, function objects, templates.
// expect: main( measure( Square::area ) measure( Circle::area ) Square::grow
//    "int twice<int>" "long twice<long>" "void each<Printer>"( 3*"Printer::operator()" ) )
#include <cstdio>

#include "keep.h"

struct Shape {
  constexpr Shape() = default;
  virtual int area() const = 0;
};
struct Square final : Shape {
  constexpr Square() = default;
  int side = 3;
  int area() const override;
  void grow(int by);
};
struct Circle final : Shape {
  constexpr Circle() = default;
  int area() const override;
};
KEEP int Square::area() const { return side * side; }
KEEP void Square::grow(int by) {
  side += by;
  DONE;
}
KEEP int Circle::area() const {
  DONE;
  return 3;
}
KEEP static int measure(const Shape& shape) {
  int area = shape.area();
  DONE;
  return area;
}
template <typename T>
KEEP static T twice(T x) {
  DONE;
  return x + x;
}

struct Printer {
  KEEP void operator()(int i) const { std::printf("%d\n", i); }
};
template <typename F>
KEEP static void each(const F& function) {
  for (int i = 0; i < 3; ++i) function(i);
  DONE;
}

static Square square;
static Circle circle;

int main() {
  int sum = measure(square);
  sum += measure(circle);
  void (Square::*volatile grow)(int) = &Square::grow;
  (square.*grow)(2);
  sum += twice(square.side);
  sum += static_cast<int>(twice(7L));
  each(Printer{});
  std::printf("%d\n", sum);
  return 0;
}
