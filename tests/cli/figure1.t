The trace of the first figure of the path-matching paper, in both forms.

  $ cat > fig1.txt <<'END'
  > Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3 E
  > END
  $ pathspool pack fig1.txt -o chunks.spool
  $ pathspool pack fig1.txt -o grammar.spool --form grammar --symbols blocks
  $ pathspool pack fig1.txt -o segments.spool --form grammar --symbols segments
  $ for form in chunks grammar segments; do pathspool cat $form.spool; done
  Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3
  E
  Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3
  E
  Main B1 B2 F1 B1 B2 F1 B1 B2 F1 B1 B4 B3 E B3 E B3 E B2 B3
  E
  $ pathspool grammar grammar.spool
  S -> Main,R1,R1,R1,B1,B4,R2,R2,R2,B2,R2
  R1 -> B1,B2,F1
  R2 -> B3,E

So short a trace is fed to the grammar event by event, unless somebody wants it otherwise.

  $ pathspool pack fig1.txt -o default.spool --form grammar && cmp default.spool grammar.spool
  $ pathspool grammar segments.spool
  S -> Main,B1,B2,F1,B1,B2,F1,B1,B2,F1,B1,B4,R1,R1,R1,B2,B3,E
  R1 -> B3,E
  $ pathspool grammar chunks.spool
  pathspool: chunks.spool: has no grammar: it is stored as chunks (pack it with --form grammar)
  [2]
  $ for form in chunks grammar segments; do pathspool check $form.spool; done
  chunks.spool: intact: 21 events in 1 segment
  grammar.spool: intact: 21 events in 1 segment
  segments.spool: intact: 21 events in 1 segment
  $ pathspool info grammar.spool | sed -n '1,9p'
  file:             grammar.spool
  state:            complete
  events:           21
  streams:          1
  functions listed: 2
  functions ran:    2
  deepest level:    3
  form:             grammar (blocks)
  segments:         1

The rules as JSON.

  $ pathspool grammar grammar.spool --format json
  {
    "file": "grammar.spool",
    "segments": [
      {
        "segment": 0,
        "stream": 0,
        "first_event": 0,
        "events": 21,
        "symbols": "blocks",
        "rules": [
          {"rule":"S","body":[{"enter":"Main","function":0},{"rule":"R1"},{"rule":"R1"},{"rule":"R1"},{"block":1},{"block":4},{"rule":"R2"},{"rule":"R2"},{"rule":"R2"},{"block":2},{"rule":"R2"}]},
          {"rule":"R1","body":[{"block":1},{"block":2},{"enter":"F1","function":1}]},
          {"rule":"R2","body":[{"block":3},{"exit":true}]}
        ]
      }
    ]
  }
  $ pathspool grammar segments.spool --format json | python3 -m json.tool > json.txt

From form to form, nothing is lost.

  $ pathspool pack chunks.spool -o g.spool --form grammar --symbols blocks
  $ pathspool pack g.spool -o c.spool
  $ cmp g.spool grammar.spool && cmp c.spool chunks.spool
