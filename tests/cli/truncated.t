A file that is cut off anywhere works up to its last complete segment, with one warning line.

  $ awk 'BEGIN { srand(5); print "main"; for (i = 0; i < 30000; ++i) print "B" int(1 + rand() * 9); print "E" }' > run.txt
  $ (cat run.txt; echo '@stream 1'; cat run.txt) | pathspool pack - -o run.spool --codec gzip --chunk-size 1K
  $ size=$(stat -c %s run.spool)
  $ head -c $((size - 1)) run.spool > cut.spool
  $ pathspool check cut.spool
  pathspool: cut.spool: truncated: \d+ bytes after offset \d+ are unusable, at least 1 byte is missing (re)
  cut.spool: truncated: 60004 events in 2 segments can be read
  [1]
  $ pathspool info cut.spool | sed -n 2,4p
  pathspool: cut.spool: truncated: \d+ bytes after offset \d+ are unusable, at least 1 byte is missing (re)
  state: +truncated after \d+ bytes \(\d+ unusable, at least 1 missing\) (re)
  events:           60004
  streams:          2
  $ pathspool cat cut.spool 2> warning | cmp - <(pathspool cat run.spool)
  $ wc -l < warning
  1
  $ pathspool pack cut.spool -o mended.spool
  pathspool: cut.spool: truncated: \d+ bytes after offset \d+ are unusable, at least 1 byte is missing (re)
  $ pathspool check mended.spool
  mended.spool: intact: 60004 events in 2 segments
  $ pathspool check cut.spool --format json 2>/dev/null | python3 -m json.tool | sed -n '2,3p;/truncation/,$p'
      "file": "cut.spool",
      "state": "truncated",
      "truncation": {
          "complete_bytes": \d+, (re)
          "unusable_bytes": \d+, (re)
          "missing_bytes": 1
      }
  }

In the middle of the second stream: the first is whole.

  $ head -c $((size * 3 / 4)) run.spool > cut.spool
  $ pathspool check cut.spool
  pathspool: cut.spool: truncated: \d+ bytes after offset \d+ are unusable, at least \d+ bytes are missing (re)
  cut.spool: truncated: 30002 events in 1 segment can be read
  [1]
  $ pathspool cat cut.spool 2>/dev/null | grep -v @stream | tr ' ' '\n' | cmp - run.txt
  $ pathspool info cut.spool --format json 2>/dev/null | grep -E '"(state|events|missing_bytes)"' | head -n 3
    "state": "truncated",
    "events": 30002,
      "missing_bytes": \d+ (re)

At every place nothing crashes, check says 1, and what is printed is a beginning of the whole; less than a
magic is no spool.

  $ echo 'main B1 f B1 B2 E B2 E' > small.txt
  $ for form in chunks grammar; do
  >   pathspool pack small.txt -o small.spool --form $form
  >   size=$(stat -c %s small.spool)
  >   for ((length = 0; length < size; length += ${STEP:-1})); do
  >     head -c $length small.spool > cut.spool
  >     pathspool check cut.spool > check.out 2>&1; checked=$?
  >     pathspool cat cut.spool > cat.out 2> cat.err; printed=$?
  >     [ $(wc -l < cat.err) = 1 ] || echo "$length: not one line"
  >     [ ! -s cat.out ] || cmp cat.out small.txt
  >     [ $checked = 1 -a $printed = 0 -o $checked = 2 -a $printed = 2 ] || echo "$length: check $checked, cat $printed"
  >     [ $checked = 1 -o $length -lt 16 ] || echo "$length: check $checked"
  >   done
  > done
