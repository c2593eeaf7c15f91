Manual pages are made from the same source as --help, and man has no complaints.

  $ for verb in '' pack cat info check grammar find; do
  >   pathspool --man $verb > page.1
  >   man --warnings -l page.1 > page.txt
  >   grep -E '^[A-Z]' page.txt | grep -v '^PATHSPOOL' | paste -s -d ,
  > done
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  NAME,SYNOPSIS,DESCRIPTION,EXAMPLES,OPTIONS,EXIT STATUS,SEE ALSO
  $ pathspool --man cat | man -l - | col -b | sed -n '/^NAME/,/^DESC/p;/^SEE/,$p'
  NAME
         pathspool-cat - print a spool, or a part of it, in text form
  
  SYNOPSIS
         pathspool cat FILE [--stream S] [--from P] [--to P] [--lines]
  
  DESCRIPTION
  SEE ALSO
         pathspool(1), pathspool-cc(1), pathspool-c++(1), pathspool-record(1),
         pathspool-pack(1), pathspool-info(1), pathspool-check(1),
         pathspool-grammar(1), pathspool-find(1)
  
  pathspool 0.1.0						      PATHSPOOL-CAT(1)
  $ pathspool --man hot
  pathspool: this version has no verb 'hot'
  [2]

Every option that help names is on the page.

  $ for verb in pack cat info check grammar find; do
  >   pathspool --man $verb | man -l - | col -b > page.txt
  >   for option in $(pathspool $verb --help | grep -oE '^  .*--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
  >     grep -q -- "$option" page.txt || echo "$verb: $option is missing"
  >   done
  > done
