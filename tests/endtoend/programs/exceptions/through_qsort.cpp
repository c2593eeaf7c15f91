// Thrown by a comparison, through the C library's qsort.
// expect: main( sort( compare ) caught sort( compare compare ) )
#include <cstdio>
#include <cstdlib>

#include "keep.h"

static int calls_left = 0;

static int compare(const void* a, const void* b) {
  if (calls_left-- == 0) throw 1;
  DONE;
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
KEEP static int sort(int n) {
  int numbers[] = {1, 2, 3};
  std::qsort(numbers, static_cast<std::size_t>(n), sizeof(int), compare);
  DONE;
  return numbers[0];
}
KEEP static void caught(int value) {
  std::printf("caught %d\n", value);
  DONE;
}

int main() {
  try {
    sort(2);
  } catch (int value) {
    caught(value);
  }
  calls_left = 100;
  std::printf("%d\n", sort(3));
  return 0;
}
