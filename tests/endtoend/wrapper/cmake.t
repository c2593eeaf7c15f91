A CMake project of two languages, a shared and a static library, and a test run of its compiler.

  $ mkdir project && cd project
  $ cat > CMakeLists.txt <<'.'
  > cmake_minimum_required(VERSION 3.16)
  > project(small C CXX)
  > include(CheckCSourceCompiles)
  > check_c_source_compiles("int main(void) { return 0; }" C_WORKS)
  > include(CheckCXXCompilerFlag)
  > check_cxx_compiler_flag(-Wall WALL_WORKS)
  > check_cxx_compiler_flag(-no-such-flag NONSENSE_WORKS)
  > message(STATUS "checks: ${C_WORKS} ${WALL_WORKS} [${NONSENSE_WORKS}]")
  > add_library(twice SHARED twice.c)
  > add_library(thrice STATIC thrice.cpp)
  > add_executable(program main.cpp)
  > target_link_libraries(program twice thrice)
  > .
  $ echo 'int twice(int x) { return 2 * x; }' > twice.c
  $ echo 'int thrice(int x) { if (x < 0) throw x; return 3 * x; }' > thrice.cpp
  $ cat > main.cpp <<'.'
  > #include <cstdio>
  > extern "C" int twice(int);
  > int thrice(int);
  > int main() {
  >   std::printf("%d\n", twice(1) + thrice(2));
  >   try { thrice(-1); } catch (int value) { std::printf("%d\n", value); }
  > }
  > .
  $ CC="pathspool cc" CXX="pathspool c++" cmake -B build -DCMAKE_BUILD_TYPE=Release > log 2>&1 || cat log
  $ grep -o 'checks: .*' log
  checks: 1 1 []
  $ grep -o 'compiler identification is Clang' log
  compiler identification is Clang
  compiler identification is Clang
  $ cmake --build build > log 2>&1 || cat log
  $ pathspool record -o run.spool -- build/program
  8
  -1
  $ pathspool check run.spool
  run.spool: intact: .* (re)
  $ pathspool cat run.spool
  main B1 twice B1 E _Z6thricei B1 B3 E _Z6thricei B1 B2 E B2 B3 B4 E
