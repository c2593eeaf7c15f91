All JSON is valid, and docs/json.md describes every field that it has.

  $ cat > run.txt <<'END'
  > @stream 0 "1/1 main"
  > main B1 f B1 B2 E B2 f B1 B2 E B2 E
  > @stream 1 "1/2 worker"
  > work B1 E
  > END
  $ pathspool pack run.txt -o chunks.spool
  $ pathspool pack run.txt -o grammar.spool --form grammar
  $ head -c -1 chunks.spool > truncated.spool
  $ cp "$TESTDIR/../golden/accepted/recorded.spool" recorded.spool
  $ for file in recorded chunks grammar truncated; do
  >   pathspool info $file.spool --format json
  >   pathspool info $file.spool --functions --format json
  >   pathspool check $file.spool --format json
  > done > all.json 2> errors
  [1]
  $ pathspool grammar grammar.spool --format json >> all.json
  $ for wish in first count all exists; do pathspool find chunks.spool 'f: B1 B2' --$wish --explain --format json; done >> all.json
  $ cat > verify.py <<'END'
  > import json, re, sys
  > documented = set(re.findall(r'["`](\w+)["`]', open(sys.argv[1], encoding="utf-8").read()))
  > def fields(value):
  >     if isinstance(value, dict):
  >         yield from value
  >         value = list(value.values())
  >     if isinstance(value, list):
  >         for item in value:
  >             yield from fields(item)
  > text, at, count, seen = open("all.json", encoding="utf-8").read(), 0, 0, set()
  > while at < len(text):
  >     value, at = json.JSONDecoder().raw_decode(text, at)
  >     assert text[at] == "\n"
  >     at, count, seen = at + 1, count + 1, seen | set(fields(value))
  > print(count, "objects; not documented:", sorted(seen - documented))
  > END
  $ python3 verify.py "$TESTDIR/../../docs/json.md"
  17 objects; not documented: []
