A project with a configure script, as autoconf makes them: it tries what the compiler can do, runs what it
built, and writes a makefile.

  $ cat > configure <<'.'
  > #!/bin/sh
  > set -e
  > : "${CC:=cc}"
  > try() { name=$1; shift; printf 'checking %s... ' "$name"; if "$@" >> config.log 2>&1; then echo yes; else echo no; return 1; fi; }
  > echo 'int main(void) { return 0; }' > conftest.c
  > try 'whether the C compiler works' $CC $CFLAGS conftest.c $LIBS
  > test -x a.out && mv a.out conftest
  > try 'whether its programs run' ./conftest
  > try 'for the suffix of object files' $CC -c conftest.c && test -f conftest.o
  > echo '#ifndef __clang__' > conftest.c; echo '#error' >> conftest.c; echo '#endif' >> conftest.c
  > try 'whether it is clang' $CC -c conftest.c
  > try 'whether it accepts -g' $CC -g -c conftest.c
  > echo '#include <no_such_header.h>' > conftest.c
  > try 'for no_such_header.h' $CC -E conftest.c || :
  > echo 'char no_such_function(void); int main(void) { return no_such_function(); }' > conftest.c
  > try 'for no_such_function' $CC conftest.c -o conftest || :
  > echo 'char cos(void); int main(void) { return cos(); }' > conftest.c
  > try 'for cos in -lm' $CC -w conftest.c -o conftest -lm
  > rm -f conftest*
  > cat > Makefile <<EOF
  > program: main.o twice.o
  > 	$CC $CFLAGS -o program main.o twice.o
  > .c.o:
  > 	$CC $CFLAGS -c \$<
  > EOF
  > .
  $ chmod +x configure
  $ cat > main.c <<'.'
  > #include <stdio.h>
  > int twice(int);
  > int main(void) { printf("%d\n", twice(21)); return 0; }
  > .
  $ echo 'int twice(int x) { return 2 * x; }' > twice.c
  $ CC="pathspool cc" CFLAGS="-O2" ./configure
  checking whether the C compiler works... yes
  checking whether its programs run... yes
  checking for the suffix of object files... yes
  checking whether it is clang... yes
  checking whether it accepts -g... yes
  checking for no_such_header.h... no
  checking for no_such_function... no
  checking for cos in -lm... yes
  $ make
  pathspool cc -O2 -c main.c
  pathspool cc -O2 -c twice.c
  pathspool cc -O2 -o program main.o twice.o
  $ pathspool record -o run.spool -- ./program && pathspool cat run.spool
  42
  main B1 twice B1 E E
