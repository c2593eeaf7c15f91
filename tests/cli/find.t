Where a path was taken: the first figure of the path-matching paper, by every scheme.

  $ cat > fig1.txt <<'END'
  > Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3 E
  > END
  $ pathspool pack fig1.txt -o chunks.spool
  $ pathspool pack fig1.txt -o grammar.spool --form grammar
  $ for scheme in auto 1 3; do pathspool find chunks.spool 'F1: B1 B2 B3' --scheme $scheme; done
  0:14
  0:14
  0:14
  $ for scheme in auto 2 4; do pathspool find grammar.spool 'F1: B1 B2 B3' --scheme $scheme; done
  0:14
  0:14
  0:14
  $ for file in chunks grammar; do
  >   pathspool find $file.spool 'F1: B1 B2 B3' --first
  >   pathspool find $file.spool 'F1: B1 B2 B3' --count
  >   pathspool find $file.spool 'F1: B1 B2 B3' --all
  >   pathspool find $file.spool 'F1: B1 B2 B3' --exists && echo yes
  > done
  0:14
  2
  0:14
  0:16
  yes
  0:14
  2
  0:14
  0:16
  yes

Nothing is printed for what is not there, but for a count.

  $ for wish in first count all exists; do
  >   pathspool find chunks.spool 'F1: B2 B1' --$wish || echo "status $?"
  > done
  status 1
  0
  status 1
  status 1
  status 1

Bounds are on the last block; --to is exclusive.

  $ pathspool find chunks.spool 'F1: B1 B2 B3' --all --from 15
  0:16
  $ pathspool find chunks.spool 'F1: B1 B2 B3' --all --to 0:16
  0:14
  $ pathspool find chunks.spool 'F1: B1 B2 B3' --all --from 14 --to 14
  pathspool: chunks.spool: F1 did not run there
  [1]
  $ pathspool find chunks.spool 'F1: B1' --from 3 --to 2
  pathspool: find: --from 0:3 is after --to 0:2 (see 'pathspool find --help')
  [2]

Overlapping occurrences count, other functions' blocks do not, and a crash may end the trace.

  $ cat > streams.txt <<'END'
  > B1 E f B1 B1 g B1 E B1
  > @stream 7 "late"
  > f B1 B1 f B1
  > END
  $ pathspool pack streams.txt -o streams.spool
  $ pathspool find streams.spool 'f: B1 B1' --all
  0:4
  0:8
  7:2
  $ pathspool find streams.spool 'f: B1 B1' --count --stream 7
  1
  $ pathspool find streams.spool 'f: B1 B1' --from 0:5 --to 7:2 --all
  0:8
  $ pathspool find streams.spool 'f: B1' --stream 3
  pathspool: streams.spool: has no stream 3 (it has 0, 7)
  [2]

A scheme that the file or this version does not have.

  $ pathspool pack fig1.txt -o plain.spool --no-index
  $ pathspool find plain.spool 'F1: B1' --scheme auto
  0:4
  $ pathspool find plain.spool 'F1: B1' --scheme 3
  pathspool: plain.spool: scheme 3 needs an index, which the file does not have
  [2]
  $ pathspool find chunks.spool 'F1: B1' --scheme 2
  pathspool: chunks.spool: scheme 2 needs form grammar: the file is stored as chunks
  [2]
  $ pathspool find grammar.spool 'F1: B1' --scheme 1
  pathspool: grammar.spool: scheme 1 needs form chunks: the file is stored as grammar
  [2]
  $ pathspool find chunks.spool 'F1: B1' --scheme 5
  pathspool: chunks.spool: this version does not have scheme 5
  [2]
  $ pathspool find chunks.spool 'F1: B1' --scheme 6
  pathspool: find: --scheme: '6' is none of auto, 1, 2, 3, 4, 5 (see 'pathspool find --help')
  [2]

Queries that make no sense.

  $ ask() { pathspool find chunks.spool "$@" 2>&1 | sed 's/ (see .*//'; return ${PIPESTATUS[0]}; }
  $ for query in 'F1' 'F1:' 'F1: ' ': B1' 'F1: B0' 'F1: B01' 'F1: B4294967296' 'F1: 7' 'F1: E' 'F1: x:y' 'F1: :0' '"F1: B1' '"F1"B1' 'F1:B1'; do
  >   ask "$query" || echo "$query: status $?"
  > done
  pathspool: find: the query has no colon and blank: it should be like 'parse: B1 B2 B3'
  F1: status 2
  pathspool: find: the query's path has no blocks
  F1:: status 2
  pathspool: find: the query's path has no blocks
  F1: : status 2
  pathspool: find: the query names no function
  : B1: status 2
  pathspool: find: B0 is no block: ids go from B1 to B4294967295
  F1: B0: status 2
  pathspool: find: B01 is no block: ids go from B1 to B4294967295
  F1: B01: status 2
  pathspool: find: B4294967296 is no block: ids go from B1 to B4294967295
  F1: B4294967296: status 2
  pathspool: find: '7' is neither a block (B1) nor a line (:120 or parse.c:120)
  F1: 7: status 2
  pathspool: find: 'E' is neither a block (B1) nor a line (:120 or parse.c:120)
  F1: E: status 2
  pathspool: find: 'x:y' is no line: they count from 1, as in :120
  F1: x:y: status 2
  pathspool: find: ':0' is no line: they count from 1, as in :120
  F1: :0: status 2
  pathspool: find: the query's name has no closing quote
  "F1: B1: status 2
  pathspool: find: the query has no colon and blank after the function's name
  "F1"B1: status 2
  pathspool: find: the query has no colon and blank: it should be like 'parse: B1 B2 B3'
  F1:B1: status 2
  $ ask 'a function whose name is long: B1 B2 B3 B4 B5 x' || echo "status $?"
  pathspool: find: 'x' is neither a block (B1) nor a line (:120 or parse.c:120)
  status 2
  $ ask || echo "status $?"
  pathspool: find: there is no QUERY and no --queries
  status 2
  $ ask 'F1: B1' --queries fig1.txt || echo "status $?"
  pathspool: find: there are both a QUERY and --queries
  status 2
  $ ask 'F1: B1' --count --all || echo "status $?"
  pathspool: find: only one of --first, --count, --all and --exists can be had
  status 2

Names: unknown ones, ones that need quotes, and blanks anywhere in the query.

  $ pathspool find chunks.spool 'F2: B1'
  pathspool: chunks.spool: no function 'F2': the closest names are F1, Main
  [1]
  $ pathspool find chunks.spool 'F2: B1' --count
  pathspool: chunks.spool: no function 'F2': the closest names are F1, Main
  0
  [1]
  $ pathspool find chunks.spool '"F1":  B1,B2   B3 '
  0:14
  $ echo '"a: b" B1 B2 "std::x<int>" B1 E "B7" B2 E "q\"\\" B1 B1 E E' | pathspool pack - -o names.spool
  $ for query in 'a: b: B1 B2' '"a: b": B1 B2' 'std::x<int>: B1' '"std::x<int>": B1' 'B7: B2' '"q\"\\": B1 B1'; do
  >   pathspool find names.spool "$query"
  > done
  0:2
  0:2
  0:4
  0:4
  0:7
  0:11

A recorded program knows its lines and its files.

  $ cp "$TESTDIR/../golden/accepted/recorded.spool" .
  $ for query in 'main: :14 :15' 'main: small.cpp:14 small.cpp:15' 'main: B2 :18' 'small.cpp:main: :12' \
  >     'void work<int>(int): :4 :7' '_Z4workIiEvT_: :4 :7' 'work.h:void work<int>(int): B3' 'work<int>: B3' 'work: B3'; do
  >   pathspool find recorded.spool "$query"
  > done
  0:3
  0:3
  0:9
  0:1
  0:6
  0:6
  0:6
  0:6
  0:6
  $ for query in 'main: :14 :99' 'main: work.h:14' 'main: B5' 'never: B1' 'mian: B1' 'work(char): B1'; do
  >   pathspool find recorded.spool "$query" || echo "status $?"
  > done
  pathspool: recorded.spool: main has no block with line 99: its lines are 12 to 20
  status 1
  pathspool: recorded.spool: main is in small.cpp, not in work.h
  status 1
  pathspool: recorded.spool: main has no block B5: it has 4
  status 1
  pathspool: recorded.spool: never never ran
  status 1
  pathspool: recorded.spool: no function 'mian': the closest names are main, void work<int>(int), never
  status 1
  pathspool: recorded.spool: no function 'work(char)': the closest names are void work<int>(int), main, never
  status 1
  $ pathspool find chunks.spool 'F1: :7'
  pathspool: chunks.spool: the lines of F1 are not known: name its blocks
  [2]

Many at once: comments and blank lines are left out, and what is not there is said.

  $ cat > paths.txt <<'END'
  > F1: B1 B2 B3
  > # a comment
  > 
  >   Main: B1 B2 B2
  > F1: B3 B1
  > F3: B1
  > END
  $ for file in chunks grammar; do pathspool find $file.spool --queries paths.txt; done
  pathspool: chunks.spool: no function 'F3': the closest names are F1, Main
  0:14	F1: B1 B2 B3
  0:18	  Main: B1 B2 B2
  -	F1: B3 B1
  -	F3: B1
  pathspool: grammar.spool: no function 'F3': the closest names are F1, Main
  0:14	F1: B1 B2 B3
  0:18	  Main: B1 B2 B2
  -	F1: B3 B1
  -	F3: B1
  $ pathspool find chunks.spool --queries - --count < paths.txt 2> errors
  2	F1: B1 B2 B3
  1	  Main: B1 B2 B2
  0	F1: B3 B1
  0	F3: B1
  $ pathspool find chunks.spool --queries paths.txt --all 2> errors
  0:14	F1: B1 B2 B3
  0:16	F1: B1 B2 B3
  0:18	  Main: B1 B2 B2
  -	F1: B3 B1
  -	F3: B1
  $ pathspool find chunks.spool --queries paths.txt --exists 2> errors
  $ echo 'F1: B3 B1' | pathspool find chunks.spool --queries -
  -	F1: B3 B1
  [1]
  $ printf 'F1: B1\nF1: B0\n' | pathspool find chunks.spool --queries -
  pathspool: standard input: line 2: B0 is no block: ids go from B1 to B4294967295
  [2]
  $ pathspool find chunks.spool --queries missing.txt
  pathspool: missing.txt: cannot open: No such file or directory
  [2]

What was done, and as JSON.

  $ awk 'BEGIN { print "main B1 f B1 B2 E"; for (i = 0; i < 4000; ++i) print "g B" 1 + i % 7 " E"; print "f B2 B1 E E" }' > long.txt
  $ pathspool pack long.txt -o long.spool --chunk-size 1K
  $ pathspool find long.spool 'f: B2 B1' --explain
  pathspool: long.spool: scheme 3 for 1 segment: by the index 2 of 16 chunks hold events of f
  pathspool: long\.spool: looked into 1 segment \(0 skipped\), 2 chunks \(14 skipped\), 0 rules and 1259 events one by one; read \d+ bytes, \d+ to open the file (re)
  0:12008
  $ pathspool find long.spool 'f: B2 B1' --explain --scheme 1
  pathspool: long.spool: scheme 1 for 1 segment: it was asked for
  pathspool: long\.spool: looked into 1 segment \(0 skipped\), 16 chunks \(0 skipped\), 0 rules and 12011 events one by one; read \d+ bytes, \d+ to open the file (re)
  0:12008
  $ explain() { pathspool find "$@" --exists --explain 2>&1 | head -n 1; }
  $ explain long.spool 'g: B9'
  pathspool: long.spool: scheme 1 for 1 segment: the index rules nothing out: 16 of 16 chunks hold events of g
  $ explain plain.spool 'F1: B1'
  pathspool: plain.spool: scheme 1 for 1 segment: there is no index
  $ explain grammar.spool 'Main: B1'
  pathspool: grammar.spool: scheme 2 for 1 segment: the index rules nothing out: 1 of 1 chunk of the start rule derives events of Main
  $ printf 'f: B1\ng: B1\nh: B1\n' > three.txt
  $ pathspool find long.spool --queries three.txt --explain --count 2> errors
  2	f: B1
  572	g: B1
  0	h: B1
  $ head -n 2 errors
  pathspool: long.spool: no function 'h': the closest names are f, g, main
  pathspool: long.spool: scheme 1 for 1 segment: the index rules nothing out: 16 of 16 chunks hold events of 2 functions

More queries than the memory allows at once are answered in several passes.

  $ awk 'BEGIN { for (i = 1; i <= 300; ++i) print "g: B" i % 8 + 1 " B" i " B" 300 - i + 1 }' > many.txt
  $ pathspool find long.spool --queries many.txt --count > all
  [1]
  $ pathspool find long.spool --queries many.txt --count --explain --memory 1M 2> errors | cmp - all
  $ grep -o '[0-9]* passes, [0-9]* chunks unpacked before' errors
  \d+ passes, \d+ chunks unpacked before (re)

What was done, as JSON.

  $ pathspool find long.spool 'f: B2 B1' --explain --format json
  {
    "file": "long.spool",
    "wish": "first",
    "found": true,
    "queries": [
      {
        "query": "f: B2 B1",
        "found": true,
        "first": {"stream":0,"index":12008}
      }
    ],
    "explain": \{"automatic":true,"schemes":\[3\],"choices":\[\{"scheme":3,"segments":1,"chunks":16,"chunks_wanted":2,"reason":"by the index 2 of 16 chunks hold events of f"\}\],"passes":1,"segments":1,"segments_skipped":0,"chunks":2,"chunks_skipped":14,"chunks_kept":0,"rules":0,"events_scanned":1259,"bytes_read":\d+,"opening_bytes":\d+\} (re)
  }
  $ for wish in first count all exists; do pathspool find chunks.spool 'F1: B1 B2 B3' --$wish --format json; done | tr -d ' \n' | sed 's/}{/}\n{/g; s/$/\n/'
  {"file":"chunks.spool","wish":"first","found":true,"queries":[{"query":"F1:B1B2B3","found":true,"first":{"stream":0,"index":14}}]}
  {"file":"chunks.spool","wish":"count","found":true,"queries":[{"query":"F1:B1B2B3","found":true,"count":2}]}
  {"file":"chunks.spool","wish":"all","found":true,"queries":[{"query":"F1:B1B2B3","found":true,"positions":[{"stream":0,"index":14},{"stream":0,"index":16}]}]}
  {"file":"chunks.spool","wish":"exists","found":true,"queries":[{"query":"F1:B1B2B3","found":true}]}

What --explain says was read is what was read, by every scheme.

  $ pathspool pack long.txt -o rules.spool --form grammar
  $ if strace -o trace true 2> errors; then
  >   for run in 'long auto' 'long 1' 'long 3' 'rules 2' 'rules 4'; do
  >     set -- $run
  >     strace -f -e trace=pread64 -o trace pathspool find $1.spool 'f: B2 B1' --scheme $2 --explain --format json > out
  >     python3 -c 'import re, sys; print(sum(map(int, re.findall(r"pread64.*= (\d+)", open("trace").read()))))' > read
  >     python3 -c 'import json; cost = json.load(open("out"))["explain"]; print(cost["bytes_read"] + cost["opening_bytes"])' | cmp - read
  >   done
  > fi

A file that was cut off works as far as it goes.

  $ head -c -1 chunks.spool > cut.spool
  $ pathspool find cut.spool 'F1: B1 B2 B3'
  pathspool: cut.spool: truncated: \d+ bytes after offset \d+ are unusable, at least 1 byte is missing (re)
  0:14

Damage: what could not be searched is named, and nothing is printed that could be wrong.

  $ cat > flip.py <<'END'
  > import sys
  > source, target, place = sys.argv[1], sys.argv[2], int(sys.argv[3])
  > data = bytearray(open(source, "rb").read())
  > data[place] ^= 1
  > open(target, "wb").write(data)
  > END
  $ offset=$(pathspool info long.spool --format json | python3 -c 'import json, sys; segment = json.load(sys.stdin)["segments"][0]; print(segment["offset_bytes"] + segment["stored_bytes"] - 1)')
  $ python3 flip.py long.spool bad.spool $offset
  $ pathspool find bad.spool 'f: B2 B1'
  pathspool: bad.spool: could not search 0:11520 to 0:12010: data is damaged: its checksum is wrong \(offset \d+\) (re)
  [2]
  $ pathspool find bad.spool 'f: B1 B2'
  0:4
  $ pathspool find bad.spool 'f: B1 B2' --count
  pathspool: bad.spool: could not search 0:11520 to 0:12010: data is damaged: its checksum is wrong \(offset \d+\) (re)
  [2]
  $ pathspool find bad.spool 'f: B1 B2' --all --format json
  pathspool: bad.spool: could not search 0:11520 to 0:12010: data is damaged: its checksum is wrong \(offset \d+\) (re)
  [2]
  $ pathspool find bad.spool 'g: B1' --count --to 11000
  524
  $ pathspool find bad.spool 'f: B1 B2' --count --to 11000
  1
