Every example that help shows works. There are three streams, so that there are three segments.

  $ for stream in 0 1 2; do
  >   echo "@stream $stream"; for i in $(seq 2000); do echo 'main B1 f B1 E B2 E'; done
  > done > run.txt
  $ tracer() { cat run.txt; }
  $ for verb in '' pack info cat check grammar; do
  >   pathspool $verb --help | sed -n '/^Examples/,/^$/p' | grep '^  [^#]' > commands
  >   while read -r command; do
  >     pathspool pack run.txt -o run.spool --form grammar
  >     eval "$command" > out 2>&1 < /dev/null || { echo "failed: $command"; cat out; }
  >   done < commands
  >   echo "$(wc -l < commands) commands of help for '$verb'"
  > done
  3 commands of help for ''
  4 commands of help for 'pack'
  4 commands of help for 'info'
  4 commands of help for 'cat'
  2 commands of help for 'check'
  2 commands of help for 'grammar'
  $ pathspool info run.spool | awk '/^events:/ { print $2 }'
  42000
