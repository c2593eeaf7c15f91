What info tells.

  $ cat > run.txt <<'END'
  > @stream 0 "10/10 main"
  > main B1 f B1 f B1 E E B2 E
  > @stream 1 "10/11 worker"
  > E B3 g B1 E
  > END
  $ pathspool pack run.txt -o run.spool
  $ pathspool info run.spool | sed "/^section/q"
  file:             run.spool
  state:            complete
  events:           15
  streams:          2
  functions listed: 3
  functions ran:    3
  deepest level:    2
  form:             chunks (zstd)
  segments:         2
  bytes: +\d+ (re)
  index bytes: +\d+ (re)
  ratio: +\d\.\d\d (re)
  tool version:     0.1.0
  
  stream  events  title
       0      10  "10/10 main"
       1       5  "10/11 worker"
  
  section +count +bytes +share (re)

Each section's share of the file: the bytes add up to the file, the shares to 100%.

  $ pathspool info run.spool | sed "1,/^section/d" | awk 'NF != 4 || $4 !~ /^[0-9]+\.[0-9]%$/'
  $ pathspool info run.spool | sed "1,/^section/d" | awk '{ bytes += $3; share += $4 }
  >   END { print bytes, (share > 99.5 && share < 100.5) }' | sed "s/^$(stat -c %s run.spool) /file /"
  file 1
  $ pathspool info run.spool --functions
  function  blocks  segments  name  source
         0       -         1  main  -
         1       -         1  f     -
         2       -         1  g     -
  $ pathspool pack run.txt -o grammar.spool --form grammar --symbols segments
  $ pathspool info grammar.spool | grep -E '^(form|events|segments):'
  events:           15
  form:             grammar (segments)
  segments:         2

The numbers in the JSON are those of the text, and they add up.

  $ cat > verify.py <<'END'
  > import json, os, sys
  > info = json.load(sys.stdin)
  > print(list(info))
  > assert info["file_bytes"] == os.path.getsize(info["file"]), info
  > assert info["file_bytes"] == sum(section["bytes"] for section in info["sections"]), info
  > assert info["events"] == sum(stream["events"] for stream in info["streams"]), info
  > assert info["events"] == sum(segment["events"] for segment in info["segments"]), info
  > assert info["ratio"] == round(4 * info["events"] / info["file_bytes"], 2), info
  > print(info["state"], info["events"], info["functions_listed"], info["functions_ran"], info["deepest_level"])
  > print(info["streams"])
  > END
  $ pathspool info run.spool --format json | python3 verify.py
  ['file', 'state', 'file_bytes', 'events', 'functions_listed', 'functions_ran', 'deepest_level', 'forms', 'index_bytes', 'ratio', 'truncation', 'metadata', 'streams', 'notes', 'segments', 'sections']
  complete 15 3 3 2
  [{'stream': 0, 'title': '10/10 main', 'events': 10, 'parent': None}, {'stream': 1, 'title': '10/11 worker', 'events': 5, 'parent': None}]
  $ pathspool info grammar.spool --format=json | python3 verify.py | sed -n 2p
  complete 15 3 3 2

A stream of blocks only never entered a function.

  $ echo 'B1 B2' | pathspool pack - -o blocks.spool
  $ pathspool info blocks.spool | grep -E 'deepest|functions'
  functions listed: 0
  functions ran:    0
  deepest level:    none
  $ pathspool info blocks.spool --format json | grep deepest
    "deepest_level": null,

What a recorder knows: source, demangled names, graphs, and notes on the way.

  $ recorded="$TESTDIR/../golden/accepted/recorded.spool"
  $ pathspool info "$recorded" --functions
  function  blocks  segments  name                 source
         0       4         1  main                 small.cpp:12
         1       3         2  void work<int>(int)  work.h:3
         2       1         -  never                small.cpp:30
  $ pathspool info "$recorded" | grep -E '^(functions ran|mode|note|mark|warning)'
  functions ran:    2
  mode:             blocks
  note     before  text
  mark        0:4  "before work"
  warning     1:4  "nothing more was recorded"
  notes +1 +\d+ +\d+\.\d% (re)
  $ pathspool info "$recorded" --functions --format json | sed -n '4p'
      {"function":0,"name":"main","demangled":null,"file":"small.cpp","line":12,"blocks":4,"ran":true,"segments":1,"graph":[{"block":1,"lines":[12,13],"terminator":"jump","successors":[2],"calls":[{"kind":"external","callee":"pthread_create"}]},{"block":2,"lines":[14],"terminator":"conditional","successors":[3,4],"calls":[]},{"block":3,"lines":[15,15,16],"terminator":"jump","successors":[2],"calls":[{"kind":"direct","callee":"_Z4workIiEvT_"}]},{"block":4,"lines":[18,20],"terminator":"return","successors":[],"calls":[]}]},
  $ pathspool info "$recorded" --format json | sed -n '/"notes": /,/]/p'
    "notes": [
      {
        "kind": "mark",
        "stream": 0,
        "index": 4,
        "text": "before work"
      },
      {
        "kind": "warning",
        "stream": 1,
        "index": 4,
        "text": "nothing more was recorded"
      }
    ],

All of it survives packing.

  $ pathspool pack "$recorded" -o again.spool --form grammar
  $ for options in '--functions' '--functions --format json'; do
  >   diff <(pathspool info "$recorded" $options | sed 's/"file": .*,//') <(pathspool info again.spool $options | sed 's/"file": .*,//')
  > done
  $ pathspool info again.spool | grep -E '^(mark|warning|mode)'
  mode:             blocks
  mark        0:4  "before work"
  warning     1:4  "nothing more was recorded"
