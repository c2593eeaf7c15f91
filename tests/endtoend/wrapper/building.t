The ways in which programs are compiled and linked.

  $ calls() { pathspool record -o run.spool -- "$@" && pathspool check run.spool > checked && pathspool cat run.spool; }
  $ cat > main.c <<'.'
  > #include <stdio.h>
  > int twice(int);
  > int main(void) { printf("%d\n", twice(21)); return 0; }
  > .
  $ echo 'int twice(int x) { return 2 * x; }' > twice.c

One command; its result is a.out.

  $ pathspool cc main.c twice.c
  $ calls ./a.out
  42
  main B1 twice B1 E E

Objects first, then a command line that links and has no source.

  $ pathspool cc -O2 -c main.c
  $ pathspool cc -O2 -c twice.c -o other.o
  $ pathspool cc main.o other.o -o linked
  $ calls ./linked
  42
  main B1 twice B1 E E

An object that plain clang compiled.

  $ clang-19 -c twice.c -o plain.o
  $ pathspool cc main.c plain.o -o mixed
  $ calls ./mixed
  42
  main B1 E

From standard input.

  $ cat main.c twice.c | pathspool cc -x c - -o from_input
  $ calls ./from_input
  42
  main B1 twice B1 E E
  $ echo 'int twice(int x) { return 3 * x; }' | pathspool cc -c -x c - -o thrice.o
  $ pathspool cc main.o thrice.o -o from_input
  $ calls ./from_input
  63
  main B1 twice B1 E E

The arguments in a file, some or all of them.

  $ echo '-O1 main.c twice.c' > arguments
  $ pathspool cc @arguments -o from_file
  $ calls ./from_file
  42
  main B1 twice B1 E E
  $ echo '-c main.c -o in_a_file.o' > arguments
  $ pathspool cc @arguments
  $ pathspool cc in_a_file.o twice.c -o from_file
  $ calls ./from_file
  42
  main B1 twice B1 E E

Assembler: as output, as input, and with a preprocessor.

  $ pathspool cc -S main.c twice.c
  $ grep -c pathspool_cursor main.s > count
  $ pathspool cc main.s twice.s -o from_assembler
  $ calls ./from_assembler
  42
  main B1 twice B1 E E
  $ clang-19 -S twice.c -o plain.s
  $ (echo '#define NOTHING'; cat plain.s) > plain.S
  $ pathspool cc main.c plain.S -o from_assembler
  $ calls ./from_assembler
  42
  main B1 E

Debug information is there when it was asked for, and only then.

  $ pathspool cc -g main.c twice.c -o debugged
  $ calls ./debugged
  42
  main B1 twice B1 E E
  $ pathspool cc -g -c main.c && readelf -S main.o | grep -c ' \.debug_info'
  1
  $ pathspool cc -c main.c && readelf -S main.o | grep -c '\.debug'
  0
  [1]
  $ pathspool cat --lines run.spool
  main # main.c:3
    B1 # main.c:3
    twice # twice.c:1
      B1 # twice.c:1
    E
  E

Link-time optimisation is switched off.

  $ pathspool cc -O2 -flto -c main.c -o lto.o
  $ pathspool cc -O2 -flto lto.o twice.c -o optimized
  $ calls ./optimized
  42
  main B1 twice B1 E E
  $ pathspool cc -O2 -flto=thin main.c twice.c -o optimized
  $ calls ./optimized
  42
  main B1 twice B1 E E

Static libraries, shared libraries, and position-dependent code.

  $ pathspool cc -c twice.c && ar rc libtwice.a twice.o
  $ pathspool cc main.c -L. -ltwice -o with_archive
  $ calls ./with_archive
  42
  main B1 twice B1 E E
  $ pathspool cc -shared -fPIC -Wl,-z,defs twice.c -o libshared.so
  $ pathspool cc main.c -L. -lshared -Wl,-rpath,. -o with_library
  $ calls ./with_library
  42
  main B1 twice B1 E E
  $ clang-19 main.c -L. -lshared -Wl,-rpath,. -o plain_main
  $ calls ./plain_main
  42
  twice B1 E
  $ pathspool cc -static main.c twice.c -o static
  $ calls ./static
  42
  main B1 twice B1 E E
  $ pathspool cc -no-pie main.c twice.c -o no_pie && calls ./no_pie
  42
  main B1 twice B1 E E
  $ pathspool cc -r main.c twice.c -o whole.o && pathspool cc whole.o -o from_whole && calls ./from_whole
  42
  main B1 twice B1 E E

Several sources of two languages; the C++ compiler links.

  $ cat > main.cpp <<'.'
  > #include <cstdio>
  > extern "C" int twice(int);
  > int main() { std::printf("%d\n", twice(4)); }
  > .
  $ pathspool c++ -x c++ main.cpp -x c twice.c -o both
  $ calls ./both
  8
  main B1 twice B1 E E
  $ pathspool cc -c twice.c && pathspool c++ main.cpp twice.o -o both && calls ./both
  8
  main B1 twice B1 E E

Another linker's command line, and a program that the linker strips.

  $ pathspool cc -s -Wl,--gc-sections -ffunction-sections main.c twice.c -o stripped && calls ./stripped
  42
  main B1 twice B1 E E

Dependencies are written as clang writes them.

  $ pathspool cc -MMD -MP -c main.c -o main.o && cat main.d
  main.o: main.c

Functions are chosen by name.

  $ pathspool cc -N twice main.c twice.c -o chosen && calls ./chosen
  42
  main B1 E
  $ pathspool cc -F 'tw*' main.c twice.c -o chosen && calls ./chosen
  42
  twice B1 E

The program runs without the recorder, and leaves nothing.

  $ mkdir empty && cd empty && ../a.out && ls && cd ..
  42
