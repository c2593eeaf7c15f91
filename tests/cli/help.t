Help of the program: examples first, then the verbs that this version has.

  $ pathspool --help
  Examples:
    # compile a program with our clang
    pathspool cc -O2 prog.c -o prog
    # record a run of it: leaves prog.spool
    pathspool record ./prog
    # wind a trace in text form onto a spool, as a grammar
    pathspool pack run.txt -o run.spool --form grammar
    # see what a spool holds
    pathspool info run.spool
    # print 40 events of it from event 1000 of stream 0 on
    pathspool cat run.spool --from 0:1000 --to 0:1040
  
  Usage: pathspool VERB [OPTIONS] ...
  
  Verbs:
    cc                    compile C so that it can be recorded: clang with our
                          pass
    c++                   compile C++ so that it can be recorded
    record                run a program and record every path it takes
    pack                  wind a trace in text form, or another spool, onto a
                          spool
    cat                   print a spool, or a part of it, in text form
    info                  tell what a spool holds and how it is stored
    check                 verify checksums and nesting, say what can be read
    grammar               print the rules of a grammar as the papers do
    find                  find where a path was taken, or how often
  
  Options:
    -h, --help            Print this help and exit
    --version             Print the version and exit
  
  'pathspool VERB --help' tells more of a verb.
  $ pathspool -h | head -n 1
  Examples:
  $ pathspool --version
  pathspool 0.1.0

Without a verb the same help goes to standard error, and that is a usage error.

  $ pathspool 2>/dev/null
  [2]
  $ pathspool --help > help.txt
  $ pathspool 2>&1 | cmp - help.txt

Verbs that do not exist, or not yet.

  $ pathspool pakc
  pathspool: no verb 'pakc': the closest is 'pack' (see 'pathspool --help')
  [2]
  $ pathspool grammer run.spool
  pathspool: no verb 'grammer': the closest is 'grammar' (see 'pathspool --help')
  [2]
  $ for verb in hot fold diff replay gen squeeze unsqueeze tune view; do
  >   pathspool $verb run.spool 'F: B1' || echo "status $?"
  > done
  pathspool: this version has no verb 'hot'
  status 2
  pathspool: this version has no verb 'fold'
  status 2
  pathspool: this version has no verb 'diff'
  status 2
  pathspool: this version has no verb 'replay'
  status 2
  pathspool: this version has no verb 'gen'
  status 2
  pathspool: this version has no verb 'squeeze'
  status 2
  pathspool: this version has no verb 'unsqueeze'
  status 2
  pathspool: this version has no verb 'tune'
  status 2
  pathspool: this version has no verb 'view'
  status 2
  $ pathspool --frobnicate
  pathspool: no option '--frobnicate' (see 'pathspool --help')
  [2]
  $ pathspool ''
  pathspool: no verb '': the closest is 'cc' (see 'pathspool --help')
  [2]

Each verb has help with examples first, then usage, then options.

  $ for verb in pack cat info check grammar find; do
  >   pathspool $verb --help | grep -E '^(Examples|Usage|Options|Exit)' | cut -d ' ' -f 1-3
  >   pathspool $verb -h | cmp - <(pathspool $verb --help)
  > done
  Examples:
  Usage: pathspool pack
  Options:
  Exit status:
  Examples:
  Usage: pathspool cat
  Options:
  Exit status:
  Examples:
  Usage: pathspool info
  Options:
  Exit status:
  Examples:
  Usage: pathspool check
  Options:
  Exit status:
  Examples:
  Usage: pathspool grammar
  Options:
  Exit status:
  Examples:
  Usage: pathspool find
  Options:
  Exit status:
  $ pathspool pack --help
  Examples:
    # a trace in text form
    pathspool pack run.txt -o run.spool
    # what another program prints
    tracer | pathspool pack - -o run.spool --form grammar
    # the smallest chunks
    pathspool pack run.txt -o run.spool --codec bzip2
    # a spool in another form
    pathspool pack run.spool -o small.spool --form grammar
  
  Usage: pathspool pack IN -o OUT [--form chunks|grammar|bits|columns]
                        [--codec gzip|bzip2|zstd|xz]
                        [--symbols blocks|segments|paths] [--chunk-size SIZE]
                        [--memory SIZE] [--no-index]
  
  Winds a trace onto a spool: a file that is small and can be read and searched
  without unpacking it. The input may be a spool too, which changes its form and
  keeps all it knows.
  
  A SIZE is a number of bytes, or of units of 1024, 1024^2 or 1024^3 bytes with K,
  M or G after it.
  
  Options:
    IN                    A trace in text form ('-' for standard input), or a
                          spool
    -o, --output OUT      The spool to write. It appears, or replaces an older
                          one, only when it is complete
    --form chunks|grammar|bits|columns
                          How to store the events (default: chunks)
    --codec gzip|bzip2|zstd|xz
                          What compresses the chunks of --form chunks (default:
                          zstd)
    --symbols blocks|segments|paths
                          What the grammar of --form grammar is made of: single
                          events, or acyclic runs of them, which is faster and
                          smaller (default: segments, but blocks for less than
                          1000 events)
    --chunk-size SIZE     How many bytes of events make a chunk of --form chunks,
                          before compression (default: 4M)
    --memory SIZE         How much memory to use: long streams are cut into
                          segments that fit (default: 1G)
    --no-index            Leave out the index that speeds up queries
    -h, --help            Print this help and exit
  
  Exit status:
    0                     The spool is written.
    2                     Something failed, and whatever was at OUT is still
                          there; or the command line makes no sense.
  $ pathspool cat --help | head -n 11
  Examples:
    # all of it
    pathspool cat run.spool
    # 40 events from event 1000 of stream 0 on
    pathspool cat run.spool --from 1000 --to 1040
    # the same with file and line
    pathspool cat run.spool --lines --from 1000 --to 1040
    # from the middle of stream 2 to its end
    pathspool cat run.spool --stream 2 --from 5000
  
  Usage: pathspool cat FILE [--stream S] [--from P] [--to P] [--lines]

No line of any help is longer than a terminal is wide.

  $ for verb in '' pack cat info check grammar; do pathspool $verb --help; done | awk 'length > 80'

Help wins over what is missing, and writing it can fail as well.

  $ pathspool pack --codec xz --help | head -n 1
  Examples:
  $ pathspool --help > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
  $ pathspool pack --help > /dev/full
  pathspool: standard output: cannot write: No space left on device
  [2]
