Usage errors are one line on standard error, and the status is 2.

  $ pathspool pack
  pathspool: pack: IN is required (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt
  pathspool: pack: --output is required (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o
  pathspool: pack: --output needs a value (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool more
  pathspool: pack: 'more' is one argument too many (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --from grammar
  pathspool: pack: no option '--from': the closest is '--form' (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt --outptu run.spool
  pathspool: pack: no option '--outptu': the closest is '--output' (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --form text
  pathspool: pack: --form: 'text' is none of chunks, grammar, bits, columns (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --form chunks --form grammar
  pathspool: pack: --form is given more than once (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --codec lz4
  pathspool: pack: --codec: 'lz4' is none of gzip, bzip2, zstd, xz (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --codec
  pathspool: pack: --codec needs a value (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --no-index=maybe
  pathspool: pack: Could not convert: --no-index = maybe (see 'pathspool pack --help')
  [2]

Sizes.

  $ for size in 4X M '' -1 +4 4.5M 0x10 ' 4M' 99999999999G 18446744073709551616 4MM; do
  >   pathspool pack run.txt -o run.spool --chunk-size "$size"
  > done
  pathspool: pack: --chunk-size: '4X' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: 'M' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '-1' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '+4' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '4.5M' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '0x10' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: ' 4M' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '99999999999G' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '18446744073709551616' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  pathspool: pack: --chunk-size: '4MM' is not a size (such as 65536, 64K, 4M or 1G) (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --chunk-size 0
  pathspool: pack: --chunk-size must be 1 at least (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --memory 1M
  pathspool: pack: --memory must be 16M at least (see 'pathspool pack --help')
  [2]

Options that belong to another form have no effect, and say so.

  $ echo 'main B1 E' > tiny.txt
  $ pathspool pack tiny.txt -o tiny.spool --form grammar --codec xz --chunk-size 1M
  pathspool: pack: --codec has no effect with --form grammar
  pathspool: pack: --chunk-size has no effect with --form grammar
  $ pathspool pack tiny.txt -o tiny.spool --symbols blocks
  pathspool: pack: --symbols has no effect with --form chunks

A kind of symbols that this version lacks.

  $ pathspool pack run.txt -o run.spool --form grammar --symbols paths
  pathspool: pack: this version has no --symbols paths (see 'pathspool pack --help')
  [2]
  $ pathspool pack run.txt -o run.spool --symbols paths
  pathspool: pack: this version has no --symbols paths (see 'pathspool pack --help')
  [2]

Positions and streams.

  $ for position in '' x -1 1: :1 1:2:3 0:-1 4294967296:0 18446744073709551616 '1 '; do
  >   pathspool cat run.spool --from "$position"
  > done
  pathspool: cat: --from: '' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: 'x' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '-1' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '1:' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: ':1' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '1:2:3' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '0:-1' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '4294967296:0' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '18446744073709551616' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  pathspool: cat: --from: '1 ' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --to 0:x
  pathspool: cat: --to: '0:x' is not a position (N, or S:N for event N of stream S) (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --from 5 --to 4
  pathspool: cat: --from 0:5 is after --to 0:4 (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --from 1:0 --to 7
  pathspool: cat: --from 1:0 is after --to 0:7 (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --stream 1 --from 8 --to 1:7
  pathspool: cat: --from 1:8 is after --to 1:7 (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --stream -1
  pathspool: cat: --stream: '-1' is not the number of a stream (see 'pathspool cat --help')
  [2]
  $ pathspool cat run.spool --stream all
  pathspool: cat: --stream: 'all' is not the number of a stream (see 'pathspool cat --help')
  [2]

The others.

  $ pathspool cat
  pathspool: cat: FILE is required (see 'pathspool cat --help')
  [2]
  $ pathspool info
  pathspool: info: FILE is required (see 'pathspool info --help')
  [2]
  $ pathspool info run.spool other.spool
  pathspool: info: 'other.spool' is one argument too many (see 'pathspool info --help')
  [2]
  $ pathspool info run.spool --format xml
  pathspool: info: --format: 'xml' is none of text, json (see 'pathspool info --help')
  [2]
  $ pathspool check run.spool --format=yaml
  pathspool: check: --format: 'yaml' is none of text, json (see 'pathspool check --help')
  [2]
  $ pathspool grammar run.spool --segment first
  pathspool: grammar: --segment: 'first' is not a number (see 'pathspool grammar --help')
  [2]
  $ pathspool check --formt json run.spool
  pathspool: check: no option '--formt': the closest is '--format' (see 'pathspool check --help')
  [2]

A file's name cannot break the line, nor be mistaken for an option after `--`.

  $ pathspool info $'two\nlines\e[31m'
  pathspool: two\nlines\x1b[31m: cannot open: No such file or directory
  [2]
  $ pathspool info -- --format
  pathspool: --format: cannot open: No such file or directory
  [2]
