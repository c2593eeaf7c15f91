/* ending exit N | return N | signal N | abort | segv | stack */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void end(const char* how, int number) {
  if (strcmp(how, "exit") == 0) exit(number);
  if (strcmp(how, "signal") == 0) raise(number);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "segv") == 0) *(volatile int*)8 = 1;
}

int main(int argc, char** argv) {
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  if (argc < 2) return 98;
  printf("out\n");
  fflush(stdout);
  fprintf(stderr, "err\n");
  end(argv[1], number);
  return number;
}
