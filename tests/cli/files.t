Files that are not there, or not what they should be.

  $ echo 'main B1 E' > run.txt
  $ mkdir directory
  $ : > empty

  $ pathspool pack missing.txt -o run.spool
  pathspool: missing.txt: cannot open: No such file or directory
  [2]
  $ pathspool pack directory -o run.spool
  pathspool: directory: is a directory
  [2]
  $ pathspool pack '' -o run.spool
  pathspool: '': cannot open: No such file or directory
  [2]
  $ for verb in cat info check grammar; do
  >   for file in missing.spool directory run.txt empty -; do
  >     pathspool $verb $file; echo "status $?"
  >   done
  > done
  pathspool: missing.spool: cannot open: No such file or directory
  status 2
  pathspool: directory: is a directory
  status 2
  pathspool: run.txt: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: empty: not a spool: the file is empty
  status 2
  pathspool: standard input: a spool needs a seekable file
  status 2
  pathspool: missing.spool: cannot open: No such file or directory
  status 2
  pathspool: directory: is a directory
  status 2
  pathspool: run.txt: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: empty: not a spool: the file is empty
  status 2
  pathspool: standard input: a spool needs a seekable file
  status 2
  pathspool: missing.spool: cannot open: No such file or directory
  status 2
  pathspool: directory: is a directory
  status 2
  pathspool: run.txt: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: empty: not a spool: the file is empty
  status 2
  pathspool: standard input: a spool needs a seekable file
  status 2
  pathspool: missing.spool: cannot open: No such file or directory
  status 2
  pathspool: directory: is a directory
  status 2
  pathspool: run.txt: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: empty: not a spool: the file is empty
  status 2
  pathspool: standard input: a spool needs a seekable file
  status 2
  $ mkfifo pipe
  $ pathspool info pipe
  pathspool: pipe: not a seekable file
  [2]
  $ ls run.spool
  ls: cannot access 'run.spool': No such file or directory
  [2]

Output that cannot be written: the line names the output, nothing is left behind, and an older file stays
as it was.

  $ pathspool pack run.txt -o -
  pathspool: standard output: a spool needs a seekable file
  [2]
  $ pathspool pack run.txt -o directory
  pathspool: directory: is a directory
  [2]
  $ pathspool pack run.txt -o ''
  pathspool: '': cannot write: No such file or directory
  [2]
  $ pathspool pack run.txt -o missing/run.spool
  pathspool: missing/run.spool: cannot write: No such file or directory
  [2]
  $ pathspool pack run.txt -o run.txt/run.spool
  pathspool: run.txt/run.spool: cannot write: Not a directory
  [2]
  $ pathspool pack run.txt -o /dev/full
  pathspool: /dev/full: cannot write: No space left on device
  [2]

The input as output, by whatever name.

  $ pathspool pack run.txt -o run.spool
  $ cp run.spool copy.spool
  $ ln run.spool hard.spool
  $ ln -s run.spool soft.spool
  $ pathspool pack run.txt -o run.txt
  pathspool: run.txt: is both the input and the output
  [2]
  $ pathspool pack run.spool -o ./run.spool
  pathspool: ./run.spool: is both the input and the output
  [2]
  $ pathspool pack run.spool -o hard.spool --form grammar
  pathspool: hard.spool: is both the input and the output
  [2]
  $ pathspool pack run.spool -o soft.spool
  pathspool: soft.spool: is both the input and the output
  [2]
  $ pathspool pack - -o run.txt < run.txt
  pathspool: run.txt: is both the input and the output
  [2]
  $ cmp run.spool copy.spool
  $ cat run.txt
  main B1 E

A failure in the middle leaves the old file and no temporary one.

  $ (for i in $(seq 100000); do echo 'main B1 B2 E'; done; echo 'B0') > late.txt
  $ pathspool pack late.txt -o run.spool
  pathspool: late.txt: line 100001, column 1: B0 is not a block: block ids start at 1 (offset 1300000)
  [2]
  $ cmp run.spool copy.spool
  $ ls
  copy.spool
  directory
  empty
  hard.spool
  late.txt
  pipe
  run.spool
  run.txt
  soft.spool

A disk that fills up: no more than 8 KiB may be written here.

  $ awk 'BEGIN { srand(1); for (i = 0; i < 50000; ++i) print "B" int(1 + rand() * 1000000) }' > random.txt
  $ (trap '' XFSZ; ulimit -f 8; pathspool pack random.txt -o run.spool)
  pathspool: run.spool: cannot write: File too large
  [2]
  $ cmp run.spool copy.spool

Interrupted: the same.

  $ mkfifo slow
  $ (exec 3> slow; echo 'main B1' >&3; sleep 5) &
  > reader=$!
  > pathspool pack slow -o run.spool & packer=$!
  > sleep 0.5; kill -TERM $packer; wait $packer; echo "status $?"; kill $reader; wait $reader
  > cmp run.spool copy.spool; ls | grep -c tmp
  status 143
  0
  [1]
