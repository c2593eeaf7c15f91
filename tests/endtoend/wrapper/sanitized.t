Together with AddressSanitizer and UndefinedBehaviorSanitizer.

  $ cat > main.c <<'.'
  > #include <stdio.h>
  > #include <stdlib.h>
  > __attribute__((noinline)) static int twice(int *x) { return 2 * x[0]; }
  > int main(void) {
  >   int *x = malloc(sizeof *x);
  >   *x = 21;
  >   printf("%d\n", twice(x));
  >   free(x);
  >   return 0;
  > }
  > .
  $ pathspool cc --pathspool-clang=14 -fsanitize=address,undefined main.c -o program
  $ pathspool record -o run.spool -- ./program
  42
  $ pathspool check run.spool
  run.spool: intact: .* (re)
  $ pathspool cat run.spool | grep -c twice
  1
