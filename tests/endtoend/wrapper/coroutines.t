Coroutines cannot be recorded: that is said when they are compiled, with what to do about it.

  $ cat > coroutine.cpp <<'.'
  > #include <coroutine>
  > #include <cstdio>
  > #ifndef MARK
  > #define MARK
  > #endif
  > struct Task {
  >   struct promise_type {
  >     Task get_return_object() { return {}; }
  >     std::suspend_never initial_suspend() noexcept { return {}; }
  >     std::suspend_never final_suspend() noexcept { return {}; }
  >     void return_void() {}
  >     void unhandled_exception() {}
  >   };
  > };
  > MARK Task coroutine(int x) {
  >   std::printf("%d\n", x);
  >   co_await std::suspend_never{};
  >   std::printf("%d\n", x + 1);
  > }
  > int main() { coroutine(1); }
  > .
  $ pathspool c++ -std=c++20 coroutine.cpp -o program
  error: pathspool cannot record coroutines: leave coroutine(int) out with __attribute__((no_instrument_function)) or -N
  1 error generated.
  [1]
  $ ls program
  ls: cannot access 'program': No such file or directory
  [2]
  $ pathspool c++ -O2 -std=c++20 -DMARK='__attribute__((no_instrument_function))' coroutine.cpp -o program
  $ pathspool record -o run.spool -- ./program
  1
  2
  $ pathspool check run.spool
  run.spool: intact: .* (re)
  $ pathspool c++ -N 'coroutine*' -std=c++20 coroutine.cpp -o program
  $ pathspool record -F main -o run.spool -- ./program && pathspool cat run.spool
  1
  2
  main B1 E
