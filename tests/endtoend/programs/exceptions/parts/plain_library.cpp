// Compiled by plain clang: calls back, and lets exceptions through or catches them.
#include <cstdio>

int call_back(int (*function)(int), int argument) {
  const int result = function(argument);
  std::puts("library");
  return result;
}

int call_back_and_catch(int (*function)(int), int argument) {
  try {
    return function(argument);
  } catch (...) {
    std::puts("library caught it");
    return -1;
  }
}
