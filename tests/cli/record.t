Programs that are not instrumented run as ever, and leave no spool.

  $ pathspool record -- sh -c 'echo out; exit 3'
  out
  pathspool: sh: nothing was recorded: it was not built with 'pathspool cc'
  [3]
  $ echo in | pathspool record cat 2> errors
  in
  $ ls
  errors

An older spool stays, if nothing comes in its place.

  $ echo old > true.spool
  $ pathspool record -- true
  pathspool: true: nothing was recorded: it was not built with 'pathspool cc'
  $ cat true.spool; ls
  old
  errors
  true.spool

A signal that ends the program ends record too, without a core of its own.

  $ bash -c 'pathspool record -o x.spool -- sh -c "kill -TERM \$\$"; echo $?' 2>&1 | tail -n 1
  143
  $ bash -c 'pathspool record -o x.spool -- sh -c "kill -KILL \$\$"; echo $?' 2>&1 | tail -n 1
  137
  $ bash -c 'pathspool record -o x.spool -- sh -c "kill -INT \$\$"; echo $?' 2>&1 | tail -n 1
  130
  $ (ulimit -c unlimited; bash -c 'pathspool record -o x.spool -- sh -c "ulimit -c 0; kill -QUIT \$\$"; echo $?' 2>&1 | tail -n 1)
  131
  $ ls
  errors
  true.spool

Programs that cannot be run.

  $ pathspool record -- ./nowhere
  pathspool: ./nowhere: cannot run: No such file or directory
  [127]
  $ pathspool record -- no-such-program
  pathspool: no-such-program: cannot run: No such file or directory
  [127]
  $ PATH= /usr/bin/env "$(command -v pathspool)" record -- true
  pathspool: true: cannot run: No such file or directory
  [127]
  $ echo text > text; pathspool record -- ./text
  pathspool: ./text: cannot run: Permission denied
  [126]
  $ mkdir folder; pathspool record -- ./folder
  pathspool: ./folder: cannot run: Permission denied
  [126]
  $ echo 'echo "a script, $1"' > script; chmod +x script; pathspool record -- ./script 'no interpreter' 2> /dev/null
  a script, no interpreter

Options end at the first word that is none, and what follows is the program's.

  $ pathspool record -o x.spool echo -o --form '[a,b]' '' '{}' -- x 2> /dev/null
  -o --form [a,b]  {} -- x
  $ pathspool record -- echo -- x 2> /dev/null
  -- x
  $ pathspool record -ox.spool --form=grammar -F 'a*' -F b --exclude c --memory 32M echo x 2> /dev/null
  x
  $ pathspool record --argv0 other sh -c 'head -c 5 /proc/$$/cmdline; echo' 2> /dev/null
  other

The program inherits no descriptor of ours; blocked and ignored signals are as they are without us.
Of the digits only those of the signals 1 to 28 count: libc uses later ones for itself.

  $ pathspool record -- sh -c 'for d in /proc/self/fd/*; do readlink $d; done' 2> /dev/null | grep -c -E 'memfd|spool'
  0
  [1]
  $ signals() { "$@" grep -o -E '^Sig(Blk|Ign)|.{7}$' /proc/self/status 2> /dev/null | grep -A1 Sig; }
  $ cmp <(signals) <(signals pathspool record --)
  $ trap '' INT HUP
  $ cmp <(signals) <(signals pathspool record --)
  $ trap - INT HUP
  $ (trap '' INT; signals pathspool record -- | tail -n 1 | grep -c '[2367abef]$')
  1

Descendants that outlive the program are waited for.

  $ pathspool record -- sh -c '(sleep 0.3; echo late) & echo early' 2> /dev/null
  early
  late

Usage errors and failures of record itself are 125.

  $ pathspool record
  pathspool: record: PROG is required (see 'pathspool record --help')
  [125]
  $ pathspool record -o
  pathspool: record: --output needs a value (see 'pathspool record --help')
  [125]
  $ pathspool record --formt grammar true
  pathspool: record: no option '--formt': the closest is '--form' (see 'pathspool record --help')
  [125]
  $ pathspool record --form columns true
  pathspool: record: --form: 'columns' is none of chunks, grammar (see 'pathspool record --help')
  [125]
  $ pathspool record --mode paths true
  pathspool: record: --mode: 'paths' is none of blocks, bits, stores, loads, misses (see 'pathspool record --help')
  [125]
  $ pathspool record --mode bits true
  pathspool: true: this version cannot record mode bits
  [125]
  $ pathspool record --memory 1M true
  pathspool: record: --memory must be 16M at least (see 'pathspool record --help')
  [125]
  $ pathspool record -o nowhere/x.spool -- echo not run
  pathspool: nowhere/x.spool: cannot write: No such file or directory
  [125]
  $ pathspool record -o folder -- echo not run
  pathspool: folder: is a directory
  [125]
  $ pathspool record --codec xz --help | head -n 1
  Examples:

What recorded nothing leaves everything as it was, older files too.

  $ echo new > true.spool; echo old > true.spool.old
  $ pathspool record true
  pathspool: true: nothing was recorded: it was not built with 'pathspool cc'
  $ cat true.spool true.spool.old; ls true.spool*
  new
  old
  true.spool
  true.spool.old

A program that was built for it, but ended before it began.

  $ echo 'int gone;' | cc -shared -fPIC -x c - -o libgone.so
  $ echo 'extern int gone; int main(void) { return gone; }' > early.c
  $ pathspool cc early.c -L. -lgone -o early && rm libgone.so
  $ pathspool record ./early 2>&1 | tail -n 1
  pathspool: ./early: nothing was recorded: it ended before it began
