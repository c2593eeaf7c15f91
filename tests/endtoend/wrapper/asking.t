What only asks clang something is answered by clang, as if we were not there.

  $ cat > a.c <<'.'
  > #include <stdio.h>
  > #include "a.h"
  > int main(void) { printf("%d\n", ANSWER); return 0; }
  > .
  $ echo '#define ANSWER 42' > a.h
  $ cp a.c a.cpp
  $ same() { clang-19 "$@" > plain 2>&1; status=$?; pathspool cc "$@" > ours 2>&1; test $? = $status && cmp plain ours; }
  $ same_cxx() { clang++-19 "$@" > plain 2>&1; status=$?; pathspool c++ "$@" > ours 2>&1; test $? = $status && cmp plain ours; }

  $ same --version
  $ same -v
  $ same -dumpversion
  $ same -dumpmachine
  $ same -print-search-dirs
  $ same -print-file-name=libc.so
  $ same --print-resource-dir
  $ same -print-prog-name=ld
  $ same -help
  $ same -E a.c
  $ same -E -dM a.c
  $ same -M a.c
  $ same -MM a.c
  $ same -MM -MG -MT target a.c
  $ same -fsyntax-only a.c
  $ same '-###' -c a.c
  $ same -xc /dev/null -E
  $ clang-19 -E - < a.c > plain && pathspool cc -E - < a.c | cmp plain
  $ same_cxx --version
  $ same_cxx -E a.cpp
  $ same_cxx -MM a.cpp

What goes wrong is clang's business, too.

  $ same
  $ pathspool cc no_such_file.c
  clang-19: error: no such file or directory: 'no_such_file.c'
  [1]
  $ same -no-such-option -c a.c
  $ echo 'int main(void) { return undeclared; }' > wrong.c
  $ same -fsyntax-only wrong.c
  $ same -c wrong.c
  $ pathspool cc -c wrong.c 2> /dev/null
  [1]
  $ ls wrong.o
  ls: cannot access 'wrong.o': No such file or directory
  [2]
  $ echo 'int main(void) { int x; return 0; }' > warned.c
  $ same -Wall -c warned.c
  $ same -Wall -Werror -c warned.c
  $ echo 'int missing(void); int main(void) { return missing(); }' > unlinked.c
  $ pathspool cc unlinked.c > errors 2>&1
  [1]
  $ grep -c "undefined reference to .missing'" errors
  1

Our own options are ours.

  $ pathspool cc --pathspool-stage=early a.c
  pathspool: --pathspool-stage=early: it is one of source, optimized
  [2]
  $ pathspool cc --pathspool-clang=3 a.c
  pathspool: there is no plugin for clang 3 (built for 14 to 19 where llvm-N-dev is installed)
  [2]
