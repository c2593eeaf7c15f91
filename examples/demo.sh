#!/usr/bin/env bash
# Builds a small program, records it, and shows what it did, in a few seconds. `make demo` calls it.
#
#   examples/demo.sh PATH_TO_BINARY
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: examples/demo.sh PATH_TO_BINARY" >&2; exit 2; }
program=$(realpath "$1")
examples=$(realpath "$(dirname "$0")")
[ -x "$program" ] || { echo "demo.sh: $1 is not a program: run 'make build' first" >&2; exit 2; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The commands below are real: what is printed after `$` is what runs.
PATH=$(dirname "$program"):$PATH
cp "$examples/calculator/calculator.cpp" "$examples/traces/lua.txt" .

bold='' dim='' plain=''
if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[36m' plain=$'\e[0m'; fi

say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; shift; [ $# -eq 0 ] || printf '%s\n' "$@"; }
# Prints a command, then runs it. A step of a pipe that fails fails the demo; `head`, which stops
# reading early, is not used for that reason.
run() { printf '%s$ %s%s\n' "$dim" "$1" "$plain"; eval "$1"; }

say "1. Build a program with 'pathspool c++' in place of the compiler" \
  "calculator.cpp is a recursive-descent parser, 90 lines. -N leaves the standard library's functions out."
run "pathspool c++ -N 'std::*' -O2 calculator.cpp -o calculator"

say "2. Record a run" \
  "The program's input, output and exit status are its own; calculator.spool is new."
run "printf '2 * (3 + 4)\n1 / (5 - 5)\n' | pathspool record ./calculator"

say "3. What did it do?"
run "pathspool info calculator.spool | sed -n '/^events/,/^deepest/p'"
run "pathspool info calculator.spool --functions"

say "4. Every path, with its lines" \
  "A name is a call, B5 is basic block 5 of the running function, E is its end. This is where 1 / (5 - 5) goes" \
  "wrong: the exception ends product, sum and whole, and answer catches it."
run "pathspool cat calculator.spool --lines | tail -n 24"

say "5. A longer run: the first 100,000 events of the Lua interpreter" \
  "As a grammar, which has a rule for everything that repeats."
run "pathspool pack lua.txt -o lua.spool --form grammar"
run "pathspool grammar lua.spool | sed -n '2,9p'"

say "6. From the middle" \
  "Only what is asked for is unwound. The comment names the calls that are open there."
run "pathspool cat lua.spool --from 40000 --to 40040"

say "7. Nothing was lost, and it is small" \
  "cmp prints nothing when two texts are the same."
run "pathspool check lua.spool"
run "grep -v '^#' lua.txt | cmp - <(pathspool cat lua.spool)"
run "gzip -9 -k lua.txt"
run "xz -6 -k lua.txt"
run "wc -c lua.txt lua.txt.gz lua.txt.xz lua.spool | grep -v total"

printf '\nThat was all. Next: README.md, or "pathspool --help" (the program is %s).\n' "$1"
