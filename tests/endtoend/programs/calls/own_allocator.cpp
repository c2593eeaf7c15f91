// A program's own operator new and malloc, whose calls LLVM believes to know.
// expect: main( "operator new" fill "operator delete" allocate( xmalloc ) "operator new"
//    "operator delete" )
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "keep.h"

static char memory[4096];
static std::size_t used;
static int calls;

KEEP void* operator new(std::size_t bytes) {
  ++calls;
  void* result = memory + used;
  used += (bytes + 15) / 16 * 16;
  return result;
}
KEEP void operator delete(void*) noexcept { ++calls; }
KEEP void operator delete(void* p, std::size_t) noexcept { ::operator delete(p); }

extern "C" KEEP __attribute__((malloc)) void* xmalloc(std::size_t bytes) {
  ++calls;
  return std::malloc(bytes);
}
KEEP static void fill(void* p) { *static_cast<volatile char*>(p) = 1; }
KEEP static void* allocate(int n) {
  void* p = xmalloc(static_cast<std::size_t>(n));
  DONE;
  return p;
}

int main() {
  void* p = ::operator new(10);
  fill(p);
  ::operator delete(p);
  std::free(allocate(5));
  void* q = ::operator new(20);
  *static_cast<volatile char*>(q) = 2;
  ::operator delete(q);
  std::printf("%d %zu\n", calls, used);
  return 0;
}
