Every example that help shows works. There are three streams, so that there are three segments.

  $ for stream in 0 1 2; do
  >   echo "@stream $stream"; for i in $(seq 2000); do echo 'main B1 f B1 E B2 E'; done
  > done > run.txt
  $ tracer() { cat run.txt; }
  $ echo 'int main(int argc, char **argv) { return argc > 5; }' | tee prog.c parser.c > prog.cpp
  $ echo 'namespace parser { int next() { return 1; } }' > parser.cpp
  $ echo '#!/bin/sh' > configure; chmod +x configure; echo 'all: ; $(CC) prog.c -o prog' > Makefile
  $ printf 'project(p)\ncmake_minimum_required(VERSION 3.25)\nadd_executable(p prog.c)\n' > CMakeLists.txt
  $ pathspool cc parser.c -o prog
  $ for verb in '' cc c++ record pack info cat check grammar; do
  >   pathspool $verb --help | sed -n '/^Examples/,/^$/p' | grep '^  [^#]' > commands
  >   while read -r command; do
  >     pathspool pack run.txt -o run.spool --form grammar
  >     eval "$command" > out 2>&1 < /dev/null || { echo "failed: $command"; cat out; }
  >   done < commands
  >   echo "$(wc -l < commands) commands of help for '$verb'"
  > done
  5 commands of help for ''
  3 commands of help for 'cc'
  3 commands of help for 'c++'
  3 commands of help for 'record'
  4 commands of help for 'pack'
  4 commands of help for 'info'
  4 commands of help for 'cat'
  2 commands of help for 'check'
  2 commands of help for 'grammar'
  $ pathspool info run.spool | awk '/^events:/ { print $2 }'
  42000
