A flipped bit is found by check, and no verb prints what it made of the events.

  $ cat > flip.py <<'END'
  > import sys
  > source, target, *places = sys.argv[1:]
  > data = bytearray(open(source, "rb").read())
  > for place in map(int, places or range(len(data))):
  >     data[place] ^= 1 << place % 8
  >     open(target.replace("#", str(place)), "wb").write(data)
  >     data[place] ^= 1 << place % 8
  > END
  $ echo 'main B1 f B1 B2 E B2 f B1 B2 E B2 E' > run.txt
  $ for form in chunks grammar; do
  >   pathspool pack run.txt -o run.spool --form $form
  >   size=$(stat -c %s run.spool)
  >   python3 flip.py run.spool 'bad#.spool'
  >   for ((place = 0; place < size; place += ${STEP:-1})); do
  >     pathspool check bad$place.spool > check.out 2>&1; checked=$?
  >     [ $checked = 1 -o $checked = 2 ] || echo "$place: check $checked"
  >     for verb in cat info grammar pack find; do
  >       rest=(); [ $verb != pack ] || rest=(-o again.spool); [ $verb != find ] || rest=('f: B1 B2' --all)
  >       pathspool $verb bad$place.spool "${rest[@]}" > out 2> err; status=$?
  >       case $status in 0|2) ;; *) echo "$place: $verb $status";; esac
  >       [ $(wc -l < err) -le 1 ] || echo "$place: $verb says more than one line"
  >       [ $verb != cat -o ! -s out ] || cmp out run.txt
  >       [ $verb != find -o ! -s out ] || cmp out <(printf '0:4\n0:9\n')
  >     done
  >   done
  > done

In the data of a segment: cat says where, and fails.

  $ awk 'BEGIN { srand(5); print "main"; for (i = 0; i < 30000; ++i) print "B" int(1 + rand() * 9); print "E" }' > long.txt
  $ pathspool pack long.txt -o long.spool --chunk-size 1K
  $ python3 flip.py long.spool bad.spool $(($(stat -c %s long.spool) / 2))
  $ pathspool check bad.spool
  bad.spool: data is damaged: its checksum is wrong \(offset \d+\) (re)
  bad.spool: damaged: 0 events in 0 segments can be read, 1 segment cannot
  [1]
  $ pathspool check bad.spool --format json | python3 -m json.tool | grep -E 'state|segments|what'
      "state": "damaged",
      "segments": 0,
      "damaged_segments": 1,
      "unexpanded_segments": 0,
              "what": "data is damaged: its checksum is wrong",
  $ pathspool cat bad.spool > out
  pathspool: bad.spool: data is damaged: its checksum is wrong \(offset \d+\) (re)
  [2]
  $ tr ' ' '\n' < out | cmp -n $(stat -c %s out) - long.txt
  $ cp long.spool target.spool
  $ pathspool pack bad.spool -o target.spool --form grammar
  pathspool: bad.spool: data is damaged: its checksum is wrong \(offset \d+\) (re)
  [2]
  $ cmp long.spool target.spool

Something after the end.

  $ (cat long.spool; echo) > bad.spool
  $ pathspool check bad.spool
  bad.spool: the spool ends here, but the file goes on \(offset \d+\) (re)
  bad.spool: damaged: 30002 events in 1 segment can be read
  [1]

Noise in place of a file.

  $ seq 20000 > noise
  $ for verb in cat info check grammar; do pathspool $verb noise; echo "status $?"; done
  pathspool: noise: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: noise: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: noise: not a spool: it does not begin as one (offset 0)
  status 2
  pathspool: noise: not a spool: it does not begin as one (offset 0)
  status 2
  $ (head -c 24 long.spool; cat noise) > bad.spool
  $ pathspool check bad.spool
  bad.spool: section header is damaged: nothing after it can be read (offset 24)
  bad.spool: damaged: 0 events in 0 segments can be read
  [1]
  $ pathspool cat bad.spool
  pathspool: bad.spool: section header is damaged: nothing after it can be read (offset 24)
  [2]
