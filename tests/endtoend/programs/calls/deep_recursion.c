// A million frames, on a stack that has room for them.
// expect: main
// expect stream: run( down^1000000( bottom ) )
// flags: -pthread
// stages: source
// levels: -O0 -O2
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "keep.h"

enum { kDepth = 1000000 };

KEEP static int bottom(void) {
  DONE;
  return 1;
}

KEEP static int down(int left) {
  int below = left == 1 ? bottom() : down(left - 1);
  DONE;
  return below + 1;
}

static void *run(void *argument) {
  *(int *)argument = down(kDepth);
  DONE;
  return NULL;
}

int main(void) {
  const size_t bytes = (size_t)1 << 30;
  void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, bytes);
  pthread_t thread;
  int result = 0;
  pthread_create(&thread, &attributes, run, &result);
  pthread_join(thread, NULL);
  printf("%d\n", result);
  return 0;
}
