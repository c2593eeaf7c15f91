Standard output that cannot be written is an error; a reader who has seen enough is none.

  $ awk 'BEGIN { for (i = 0; i < 200000; ++i) print "main B1 B2 E" }' > run.txt
  $ pathspool pack run.txt -o run.spool
  $ pathspool pack run.txt -o grammar.spool --form grammar
  $ for verb in cat info check; do pathspool $verb run.spool > /dev/full; echo "status $?"; done
  pathspool: standard output: cannot write: No space left on device
  status 2
  pathspool: standard output: cannot write: No space left on device
  status 2
  pathspool: standard output: cannot write: No space left on device
  status 2
  $ pathspool grammar grammar.spool > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
  $ pathspool info run.spool --format json > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
  $ pathspool --version > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
  $ pathspool --man > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
  $ pathspool cat run.spool >&-
  pathspool: standard output: cannot write: Bad file descriptor
  [2]
  $ pathspool cat run.spool | head -n 1; echo "status ${PIPESTATUS[0]}"
  main B1 B2 E main B1 B2 E main B1 B2 E main B1 B2 E main B1 B2 E
  status 141

Even if whoever started it ignored the signal.

  $ (trap '' PIPE; pathspool cat run.spool | head -n 1)
  main B1 B2 E main B1 B2 E main B1 B2 E main B1 B2 E main B1 B2 E

With standard error closed nothing goes astray.

  $ pathspool info missing.spool 2>&-
  [2]
  $ pathspool pack run.txt -o other.spool 2>&- <&- >&-
  $ cmp run.spool other.spool
