// _setjmp and sigsetjmp, with and without the signal mask.
// expect: main( first( leave ) second( leave ) third( leave ) )
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#include "keep.h"

static jmp_buf plain;
static sigjmp_buf masked;

KEEP static void leave(int which) {
  DONE;
  if (which == 1) _longjmp(plain, 1);
  siglongjmp(masked, which);
}
KEEP static void first(void) {
  if (_setjmp(plain) == 0) leave(1);
  puts("first");
  DONE;
}
KEEP static void second(void) {
  if (sigsetjmp(masked, 0) == 0) leave(2);
  puts("second");
  DONE;
}
KEEP static void third(void) {
  if (sigsetjmp(masked, 1) == 0) leave(3);
  puts("third");
  DONE;
}

int main(void) {
  first();
  second();
  third();
  DONE;
  return 0;
}
