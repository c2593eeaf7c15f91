// std::thread and std::async, as a C++ program uses them. Only the program's own functions are
// compared: those of the library's templates are many.
// flags: -pthread
// record: -F 'work*' -F 'helper*' -F main
// levels: -O0 -O2
// stages: source
// expect: main
// expect 4 streams: work( 3*helper )
// expect stream: work_and_throw( helper )
#include <cstdio>
#include <future>
#include <thread>
#include <vector>

#include "keep.h"

KEEP static void helper(int& x) {
  ++x;
  DONE;
}
KEEP static void work(int& x) {
  for (int i = 0; i < 3; ++i) helper(x);
}
KEEP static int work_and_throw(int x) {
  helper(x);
  if (x > 0) throw x;
  return x;
}

int main() {
  int numbers[4] = {};
  std::vector<std::thread> threads;
  for (int& number : numbers) threads.emplace_back([&number] { work(number); });
  for (std::thread& thread : threads) thread.join();
  auto future = std::async(std::launch::async, [] { return work_and_throw(1); });
  try {
    future.get();
  } catch (int value) {
    std::printf("caught %d\n", value);
  }
  std::printf("%d\n", numbers[0] + numbers[3]);
  return 0;
}
