What pack reads and writes.

  $ cat > run.txt <<'END'
  > # a comment
  > main B1,B2
  >   f B1 E B3 E
  > END

It says nothing when all is well.

  $ pathspool pack run.txt -o run.spool
  $ pathspool cat run.spool
  main B1 B2 f B1 E B3 E

Standard input, a pipe, and a file by redirection.

  $ cat run.txt | pathspool pack - -o pipe.spool && cmp pipe.spool run.spool
  $ pathspool pack - -o file.spool < run.txt && cmp file.spool run.spool
  $ pathspool pack <(cat run.txt) -o fifo.spool && cmp fifo.spool run.spool

A spool is told from text by how it begins; but it needs a name.

  $ pathspool pack run.spool -o again.spool && cmp again.spool run.spool
  $ pathspool pack - -o again.spool < run.spool
  pathspool: standard input: is a spool, which needs a seekable file: give its name
  [2]
  $ cat run.spool | pathspool pack - -o again.spool
  pathspool: standard input: line \d+, column \d+: .* holds a control byte: .* (re)
  [2]

Every codec and every way to feed the grammar gives the same events back.

  $ for codec in gzip bzip2 zstd xz; do
  >   pathspool pack run.txt -o $codec.spool --codec $codec --chunk-size 1K
  >   pathspool cat $codec.spool; pathspool info $codec.spool | grep ^form
  > done
  main B1 B2 f B1 E B3 E
  form:             chunks (gzip)
  main B1 B2 f B1 E B3 E
  form:             chunks (bzip2)
  main B1 B2 f B1 E B3 E
  form:             chunks (zstd)
  main B1 B2 f B1 E B3 E
  form:             chunks (xz)
  $ for symbols in blocks segments; do
  >   pathspool pack run.txt -o $symbols.spool --form grammar --symbols $symbols --no-index --memory 64M
  >   pathspool cat $symbols.spool; pathspool info $symbols.spool | grep -E '^(form|index)'
  > done
  main B1 B2 f B1 E B3 E
  form:             grammar (blocks)
  index bytes:      0
  main B1 B2 f B1 E B3 E
  form:             grammar (segments)
  index bytes:      0

Forms that this version does not write, or that text has no facts for.

  $ pathspool pack run.txt -o bits.spool --form bits
  pathspool: run.txt: form bits needs the control-flow graphs of a bits recording, which this input lacks
  [2]
  $ pathspool pack run.txt -o columns.spool --form columns
  pathspool: pack: this version has no --form columns (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.spool -o bits.spool --form bits
  pathspool: run.spool: form bits needs the control-flow graphs of a bits recording, which this input lacks
  [2]
  $ ls bits.spool columns.spool
  ls: cannot access 'bits.spool': No such file or directory
  ls: cannot access 'columns.spool': No such file or directory
  [2]

Mistakes in the text, with line and column.

  $ echo 'main B1 B0' | pathspool pack - -o bad.spool
  pathspool: standard input: line 1, column 9: B0 is not a block: block ids start at 1 (offset 8)
  [2]
  $ printf 'main B1\nB2 B4294967296\n' > bad.txt; pathspool pack bad.txt -o bad.spool
  pathspool: bad.txt: line 2, column 4: B4294967296 is not a block: block ids end at 4294967295 (offset 11)
  [2]
  $ echo '"main B1' | pathspool pack - -o bad.spool
  pathspool: standard input: line 1, column 1: "main B1 is not closed: expected a quote before the end of the line (offset 0)
  [2]
  $ echo 'main @strea 1' | pathspool pack - -o bad.spool
  pathspool: standard input: line 1, column 6: @strea is unknown: the only word with @ is @stream (offset 5)
  [2]
  $ printf 'main \x01' | pathspool pack - -o bad.spool
  pathspool: standard input: line 1, column 6: \x01 holds a control byte: such a name is written in double quotes with escapes (offset 5)
  [2]
  $ ls bad.spool
  ls: cannot access 'bad.spool': No such file or directory
  [2]

The empty trace.

  $ : | pathspool pack - -o empty.spool
  $ pathspool cat empty.spool
  $ pathspool check empty.spool
  empty.spool: intact: 0 events in 0 segments
  $ pathspool info empty.spool | sed -n '2,9p'
  state:            complete
  events:           0
  streams:          0
  functions listed: 0
  functions ran:    0
  deepest level:    none
  form:             none
  segments:         0
  $ : | pathspool pack - -o empty.spool --form grammar
  $ pathspool grammar empty.spool
  pathspool: empty.spool: has no grammar: it holds no events
  [2]

Long traces in several segments, within the memory that is allowed.

  $ awk 'BEGIN { srand(7); print "main"; for (i = 0; i < 1500000; ++i) print "B" int(1 + rand() * 100000); print "E" }' > long.txt
  $ pathspool pack long.txt -o long.spool --form grammar --memory 32M
  $ pathspool cat long.spool | tr ' ' '\n' | cmp - long.txt
  $ pathspool check long.spool
  long.spool: intact: 1500002 events in \d+ segments (re)
  $ pathspool grammar long.spool | grep '^#' | head -n 3
  # segment 1
  # segment 2
  # segment 3
  $ pathspool grammar long.spool --segment 1 | cmp - <(pathspool grammar long.spool | sed -n '/^# segment 1$/,/^# segment 2$/p' | grep -v '^#')
  $ pathspool grammar long.spool --segment 1000000
  pathspool: long.spool: has no segment 1000000 \(it has \d+ segments, counted from 0\) (re)
  [2]
  $ pathspool cat long.spool --from 1000000 --to 1000005 | tail -n +2 | tr ' ' '\n' | cmp - <(sed -n '1000001,1000005p' long.txt)
  $ pathspool cat long.spool --from 1000000 --to 1000005 | head -n 1
  # open frames: main
