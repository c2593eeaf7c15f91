#!/usr/bin/env bash
# Shows what Pathspool does with a real trace, in a few seconds. `make demo` calls it.
#
#   examples/demo.sh PATH_TO_BINARY
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: examples/demo.sh PATH_TO_BINARY" >&2; exit 2; }
program=$(realpath "$1")
trace=$(realpath "$(dirname "$0")/traces/lua.txt")
[ -x "$program" ] || { echo "demo.sh: $1 is not a program: run 'make build' first" >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The commands below are real: what is printed after `$` is what runs.
PATH=$(dirname "$program"):$PATH
cp "$trace" lua.txt

bold='' dim='' plain=''
if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[36m' plain=$'\e[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; shift; [ $# -eq 0 ] || printf '%s\n' "$@"; }
# Prints a command, then runs it. A step of a pipe that fails fails the demo; `head`, which stops
# reading early, is not used for that reason.
run() { printf '%s$ %s%s\n' "$dim" "$1" "$plain"; eval "$1"; }

say "1. A trace: what the Lua interpreter did in its first 100,000 events" \
  "A name is a call, B5 is basic block 5 of the running function, E is a return."
run "sed -n '4,6p' lua.txt"

say "2. Wind it onto a spool, in both forms" \
  "chunks: compressed pieces. grammar: a rule for everything that repeats."
run "pathspool pack lua.txt -o chunks.spool --form chunks"
run "pathspool pack lua.txt -o grammar.spool --form grammar"

say "3. What is in it?"
run "pathspool info grammar.spool"

say "4. The grammar knows what repeats" \
  "Each rule is a piece of the run that happened at least twice; S, the whole run, is left out here."
run "pathspool grammar grammar.spool | sed -n '2,9p'"

say "5. The trace back, from the middle" \
  "Only what is asked for is unwound. The comment names the calls that are open there."
run "pathspool cat grammar.spool --from 40000 --to 40040"

say "6. Nothing was lost" \
  "cmp prints nothing when two texts are the same."
run "pathspool check chunks.spool"
run "pathspool check grammar.spool"
run "grep -v '^#' lua.txt | cmp - <(pathspool cat chunks.spool)"
run "grep -v '^#' lua.txt | cmp - <(pathspool cat grammar.spool)"

say "7. And it is small"
run "gzip -9 -k lua.txt"
run "xz -6 -k lua.txt"
run "wc -c lua.txt lua.txt.gz lua.txt.xz chunks.spool grammar.spool | grep -v total"

printf '\nThat was all. Next: README.md, or "pathspool --help" (the program is %s).\n' "$1"
