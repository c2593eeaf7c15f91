// throwing COUNTERS THREADS CALLS: as busy, in C++: exceptions go through counted frames, and each
// of those ends.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "counting.h"

namespace {

enum { kClimb, kBreak, kVisit, kSteady, kFunctions };
const char* const kNames[] = {"climb", "break_off", "visit", "steady"};

struct Ending {
  int function;
  ~Ending() { ENDED(function); }
};

struct Broken {
  std::uint32_t value;
};

struct Shape {
  virtual ~Shape() = default;
  virtual std::uint32_t area(std::uint32_t x) const { return x + 1; }
};
struct Square final : Shape {
  std::uint32_t area(std::uint32_t x) const override { return x * x; }
};

}  // namespace

extern "C" {
__attribute__((noinline)) std::uint32_t steady(std::uint32_t x) {
  STARTED(kSteady);
  for (std::uint32_t i = x & 3; i > 0; --i) x = (x << 1) ^ (x >> 7) ^ i;
  ENDED(kSteady);
  return x;
}

__attribute__((noinline)) std::uint32_t break_off(std::uint32_t x) {
  STARTED(kBreak);
  const Ending ending{kBreak};
  if (x % 64 == 3) throw Broken{x};
  return steady(x) + 1;
}

__attribute__((noinline)) std::uint32_t climb(std::uint32_t depth, std::uint32_t x) {
  STARTED(kClimb);
  const Ending ending{kClimb};
  if (depth == 0) return break_off(x);
  return climb(depth - 1, x + depth) ^ depth;
}

__attribute__((noinline)) std::uint32_t visit(const Shape& shape, std::uint32_t x) {
  STARTED(kVisit);
  try {
    x = climb(x % 5, shape.area(x));
  } catch (const Broken& broken) {
    x ^= broken.value * 2654435761U + 12345;
  }
  ENDED(kVisit);
  return x;
}
}

int main(int argc, char** argv) {
  if (argc != 4) return 98;
  const auto threads = std::strtoull(argv[2], nullptr, 10);
  const auto calls = std::strtoull(argv[3], nullptr, 10);
  open_counters(argv[1], kNames, kFunctions, threads);
  std::vector<std::uint32_t> results(threads);
  const auto run = [&](std::uint64_t number) {
    take_slot(number);
    const std::unique_ptr<Shape> shapes[] = {std::make_unique<Shape>(), std::make_unique<Square>()};
    std::uint32_t x = static_cast<std::uint32_t>(number) + 1;
    for (std::uint64_t i = 0; calls == 0 || i < calls; ++i) {
      x = visit(*shapes[x & 1], x + static_cast<std::uint32_t>(i));
    }
    results[number] = x;
  };
  std::vector<std::thread> others;
  for (std::uint64_t i = 1; i < threads; ++i) others.emplace_back(run, i);
  run(0);
  for (std::thread& other : others) other.join();
  for (std::uint64_t i = 0; i < threads; ++i) std::printf("%u %u\n", (unsigned)i, results[i]);
  return 0;
}
