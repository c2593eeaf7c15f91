// PATHSPOOL_CHECK: for our own mistakes only. No input may reach it.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace pathspool::base {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "pathspool: internal error: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace pathspool::base

#define PATHSPOOL_CHECK(condition)    \
  ((condition) ? static_cast<void>(0) \
               : ::pathspool::base::check_failed(#condition, __FILE__, __LINE__))
