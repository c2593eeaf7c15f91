Parts of a spool. Event 0 of stream 0 is the entry of main.

  $ cat > run.txt <<'END'
  > main B1 B2 parse B1 read B1 E B2 E B3
  > @stream 2 "17/18 worker \"two\""
  > work B1 B2 E E B9
  > @stream 1 "idle"
  > @stream 0
  > B4 E
  > END

In both forms the same.

  $ for form in chunks grammar; do
  >   pathspool pack run.txt -o $form.spool --form $form
  >   pathspool cat $form.spool > $form.txt
  > done
  $ cmp chunks.txt grammar.txt && cat chunks.txt
  @stream 0 ""
  main B1 B2 parse B1 read B1 E B2 E B3 B4 E
  @stream 1 "idle"
  @stream 2 "17/18 worker \"two\""
  work B1 B2 E E B9
  $ for arguments in '--from 3' '--to 3' '--from 3 --to 6' '--from 6 --to 6' '--from 100' \
  >     '--from 0' '--to 0' '--from 6 --to 2:2' '--from 2:1' '--from 1:0 --to 2:0' '--from 2:100' \
  >     '--stream 0' '--stream 1' '--stream 2' '--stream 2 --from 1 --to 3' '--stream 2 --from 0:5' \
  >     '--stream 0 --to 2:1' '--stream 2 --to 1:1' '--stream 2 --from 4' '--stream 1 --from 0'; do
  >   echo "-- $arguments"
  >   pathspool cat chunks.spool $arguments > chunks.txt || echo "status $?"
  >   pathspool cat grammar.spool $arguments | cmp - chunks.txt
  >   cat chunks.txt
  > done
  -- --from 3
  # open frames: main
  @stream 0 ""
  parse B1 read B1 E B2 E B3 B4 E
  @stream 1 "idle"
  @stream 2 "17/18 worker \"two\""
  work B1 B2 E E B9
  -- --to 3
  @stream 0 ""
  main B1 B2
  -- --from 3 --to 6
  # open frames: main
  @stream 0 ""
  parse B1 read
  -- --from 6 --to 6
  # open frames: main parse read
  -- --from 100
  # open frames:
  @stream 1 "idle"
  @stream 2 "17/18 worker \"two\""
  work B1 B2 E E B9
  -- --from 0
  # open frames:
  @stream 0 ""
  main B1 B2 parse B1 read B1 E B2 E B3 B4 E
  @stream 1 "idle"
  @stream 2 "17/18 worker \"two\""
  work B1 B2 E E B9
  -- --to 0
  -- --from 6 --to 2:2
  # open frames: main parse read
  @stream 0 ""
  B1 E B2 E B3 B4 E
  @stream 1 "idle"
  @stream 2 "17/18 worker \"two\""
  work B1
  -- --from 2:1
  # open frames: work
  @stream 2 "17/18 worker \"two\""
  B1 B2 E E B9
  -- --from 1:0 --to 2:0
  # open frames:
  @stream 1 "idle"
  -- --from 2:100
  # open frames:
  -- --stream 0
  main B1 B2 parse B1 read B1 E B2 E B3 B4 E
  -- --stream 1
  -- --stream 2
  work B1 B2 E E B9
  -- --stream 2 --from 1 --to 3
  # open frames: work
  B1 B2
  -- --stream 2 --from 0:5
  # open frames:
  work B1 B2 E E B9
  -- --stream 0 --to 2:1
  main B1 B2 parse B1 read B1 E B2 E B3 B4 E
  -- --stream 2 --to 1:1
  -- --stream 2 --from 4
  # open frames:
  E B9
  -- --stream 1 --from 0
  # open frames:

A stream that is not there.

  $ pathspool cat chunks.spool --stream 3
  pathspool: chunks.spool: has no stream 3 (it has 0, 1, 2)
  [2]
  $ pathspool cat chunks.spool --from 9:9
  pathspool: chunks.spool: has no stream 9 (it has 0, 1, 2)
  [2]
  $ pathspool cat chunks.spool --to 3:1
  pathspool: chunks.spool: has no stream 3 (it has 0, 1, 2)
  [2]

What cat prints can be packed again.

  $ pathspool cat chunks.spool | pathspool pack - -o again.spool
  $ pathspool cat again.spool | cmp - <(pathspool cat chunks.spool)

Twenty events a line.

  $ yes 'B7' | head -n 41 | pathspool pack - -o blocks.spool
  $ pathspool cat blocks.spool
  B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7
  B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7 B7
  B7

Any --from gives a tail of the whole.

  $ awk 'BEGIN { srand(3); for (i = 0; i < 5000; ++i) print (rand() < 0.2 ? "f" int(rand() * 9) : rand() < 0.3 ? "E" : "B" int(1 + rand() * 5)) }' > tail.txt
  $ pathspool pack tail.txt -o tail.spool --chunk-size 100
  $ pathspool pack tail.txt -o tail-grammar.spool --form grammar
  $ for from in 0 1 99 1234 4999 5000; do
  >   for file in tail tail-grammar; do
  >     pathspool cat $file.spool --from $from | tail -n +2 | tr ' ' '\n' | cmp - <(tail -n +$((from + 1)) tail.txt)
  >   done
  > done

With --lines one event a line, each with its place in the source where that is known.

  $ recorded="$TESTDIR/../golden/accepted/recorded.spool"
  $ pathspool cat "$recorded" --lines
  @stream 0 "10/10 small"
  main # small.cpp:12
    B1 # small.cpp:12-13
    B2 # small.cpp:14
    B3 # small.cpp:15-16
    _Z4workIiEvT_ # work.h:3 void work<int>(int)
      B1 # work.h:3-5
      B3 # work.h:7,9
    E
    B2 # small.cpp:14
    B4 # small.cpp:18,20
  E
  @stream 1 "10/11 small"
  _Z4workIiEvT_ # work.h:3 void work<int>(int)
    B1 # work.h:3-5
    B2
  E
  $ pathspool cat "$recorded" --lines --from 6 --to 9
  # open frames: main _Z4workIiEvT_
  @stream 0 "10/10 small"
      B3 # work.h:7,9
    E
    B2 # small.cpp:14
  $ pathspool cat chunks.spool --lines --stream 2
  work
    B1
    B2
  E
  E
  B9

It is the same text, for pack too.

  $ for file in "$recorded" chunks.spool tail.spool; do
  >   pathspool cat "$file" --lines | pathspool pack - -o again.spool
  >   pathspool cat again.spool | cmp - <(pathspool cat "$file")
  > done

Recursion deeper than a hundred levels is not indented more.

  $ yes f | head -n 1000 | pathspool pack - -o deep.spool
  $ pathspool cat deep.spool --lines | awk '{ print length($0) }' | sort -n | tail -n 1
  201
