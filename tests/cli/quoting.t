Names that could be misread are in quotes, wherever a name is printed.

  $ cat > names.txt <<'END'
  > "" B1 E "E" B1 E "B1" B1 E "two words" E "a,b" E "a\"b\\c" E "@stream" E "#" E "tab\there" E "S" E "R1" E R1x E Bx E
  > END
  $ pathspool pack names.txt -o names.spool --form grammar --symbols blocks
  $ pathspool cat names.spool
  "" B1 E "E" B1 E "B1" B1 E "two words" E "a,b" E "a\"b\\c" E "@stream" E "#" E "tab\there"
  E S E R1 E R1x E Bx E
  $ pathspool grammar names.spool
  S -> "",R1,"E",R1,"B1",R1,"two words",E,"a,b",E,"a\"b\\c",E,"@stream",E,"#",E,"tab\there",E,"S",E,"R1",E,R1x,E,Bx,E
  R1 -> B1,E
  $ pathspool info names.spool --functions
  function  blocks  segments  name         source
         0       -         1  ""           -
         1       -         1  "E"          -
         2       -         1  "B1"         -
         3       -         1  "two words"  -
         4       -         1  "a,b"        -
         5       -         1  "a\"b\\c"    -
         6       -         1  "@stream"    -
         7       -         1  "#"          -
         8       -         1  "tab\there"  -
         9       -         1  S            -
        10       -         1  R1           -
        11       -         1  R1x          -
        12       -         1  Bx           -
  $ pathspool cat names.spool --from 1 --to 2
  # open frames: ""
  B1
  $ pathspool info names.spool --functions --format json | python3 -c '
  > import json, sys
  > print([function["name"] for function in json.load(sys.stdin)["functions"]])'
  ['', 'E', 'B1', 'two words', 'a,b', 'a"b\\c', '@stream', '#', 'tab\there', 'S', 'R1', 'R1x', 'Bx']

Bytes that are no UTF-8 come back as they were; JSON has U+FFFD instead.

  $ printf 'f\xff\xfe B1 E\n' > bytes.txt
  $ pathspool pack bytes.txt -o bytes.spool --form grammar
  $ pathspool cat bytes.spool | cmp - bytes.txt
  $ pathspool grammar bytes.spool --format json | python3 -m json.tool > json.txt
  $ pathspool info bytes.spool --functions --format json | grep -o '"name":"[^"]*"'
  "name":"f��"
