A program that is started by hand with PATHSPOOL_OPTIONS records itself.

  $ cat > main.c <<'.'
  > #include <stdio.h>
  > #include <stdlib.h>
  > __attribute__((noinline)) static int twice(int x) { return 2 * x; }
  > int main(int count, char **arguments) {
  >   printf("%d\n", twice(count > 1 ? atoi(arguments[1]) : 1));
  >   return count > 2 ? atoi(arguments[2]) : 0;
  > }
  > .
  $ pathspool cc main.c -o program
  $ PATHSPOOL_OPTIONS="output=run.spool" ./program 21
  42
  $ pathspool cat run.spool
  main B1 B2 B4 twice B1 E B6 B7 E
  $ pathspool info run.spool | grep form
  form:             chunks (zstd)

Its status is its own, and so are its arguments.

  $ PATHSPOOL_OPTIONS="output=other.spool form=grammar exclude=tw*" ./program 5 7
  10
  [7]
  $ pathspool cat other.spool
  main B1 B2 B4 B5 B7 E
  $ pathspool info other.spool | grep form
  form:             grammar .* (re)

Without it, nothing is recorded.

  $ rm *.spool; ./program 1; ls
  2
  main.c
  program
