// Thrown by a comparison, through the C library's qsort.
// expect: main( sort( compare ) caught sort( compare ) )
#include <cstdio>
#include <cstdlib>

#include "keep.h"

static int calls_left = 0;

static int compare(const void* a, const void* b) {
  if (calls_left-- == 0) throw 1;
  DONE;
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
KEEP static int sort() {
  int numbers[] = {1, 2};
  std::qsort(numbers, 2, sizeof(int), compare);
  DONE;
  return numbers[0];
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}

int main() {
  try {
    sort();
  } catch (int value) {
    caught(value);
  }
  calls_left = 100;
  std::printf("%d\n", sort());
  return 0;
}
