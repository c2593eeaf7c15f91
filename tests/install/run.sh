#!/usr/bin/env bash
# Installs a finished build into an empty folder, moves it, and uses it as a stranger would: builds an example against it
# with find_package and with pkg-config, runs both, runs the installed program, and lets man read the pages.
#
#   tests/install/run.sh SOURCE_DIR BUILD_DIR CXX
set -euo pipefail
source_dir=$(realpath "$1")
build_dir=$(realpath "$2")
cxx=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { diff -u "$1" "$2" || fail "$3"; }

# As `make install DESTDIR=... PREFIX=/opt/pathspool` does it.
DESTDIR=$work/stage cmake --install "$build_dir" --prefix /opt/pathspool > "$work/install.log"
# Nothing may remember where it was installed.
prefix=$work/moved
mv "$work/stage/opt/pathspool" "$prefix"
[ -z "$(find "$work/stage" -type f)" ] || fail "files outside the prefix: $(find "$work/stage" -type f)"
if grep -rIlF -e "$work/stage" -e "$source_dir" -e "$build_dir" "$prefix"; then
  fail "the files above name a folder of the build"
fi

for file in bin/pathspool lib/libpathspool.a include/pathspool/spool.h lib/pkgconfig/pathspool.pc \
  lib/cmake/pathspool/pathspool-config.cmake share/man/man1/pathspool.1 share/man/man1/pathspool-pack.1 \
  share/doc/pathspool/LICENSE share/doc/pathspool/README.md share/doc/pathspool/docs/format.md \
  share/doc/pathspool/examples/demo.sh; do
  [ -e "$prefix/$file" ] || fail "$file is not installed"
done

echo "-- Every public header can be included first"
for header in "$prefix"/include/pathspool/*.h; do
  "$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only -x c++ - \
    <<< "#include <pathspool/$(basename "$header")>"
done

echo "-- The example, built with find_package"
example=$prefix/share/doc/pathspool/examples/count_calls
cmake -S "$example" -B "$work/by_cmake" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$prefix" \
  > "$work/cmake.log" || { cat "$work/cmake.log"; fail "find_package"; }
cmake --build "$work/by_cmake" > "$work/cmake.log" || { cat "$work/cmake.log"; fail "build"; }

echo "-- The example, built with pkg-config"
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
for static in --static ''; do
  read -ra flags < <(pkg-config --cflags $static --libs pathspool)
  "$cxx" -std=c++20 "$example/count_calls.cpp" -o "$work/by_pkg_config" "${flags[@]}"
done
version=$("$prefix/bin/pathspool" --version)
[ "pathspool $(pkg-config --modversion pathspool)" = "$version" ] || fail "versions differ"

echo "-- Both count what grep counts"
trace=$source_dir/examples/traces/lua.txt
grep -v '^#' "$trace" | tr ' ' '\n' | grep -vE '^(B[0-9]+|E)$' | sort | uniq -c | sort -k1,1nr \
  | sed -n '1,10p' | awk '{ print $1 }' > "$work/expected_counts"
"$prefix/bin/pathspool" pack "$trace" -o "$work/chunks.spool"
"$prefix/bin/pathspool" pack "$trace" -o "$work/grammar.spool" --form grammar
for program in "$work/by_cmake/count_calls" "$work/by_pkg_config"; do
  for form in chunks grammar; do
    "$program" "$work/$form.spool" > "$work/output"
    same "$source_dir/tests/install/expected.txt" "$work/output" "$program on $form"
  done
done
awk '{ print $1 }' "$work/output" | diff -u "$work/expected_counts" - || fail "the counts are wrong"

echo "-- The example says what is wrong"
status=0
"$work/by_cmake/count_calls" "$trace" 2> "$work/message" || status=$?
[ "$status" -eq 2 ] || fail "status $status on a file that is no spool"
grep -q '^count_calls: ' "$work/message" || fail "no message"

echo "-- Man pages"
"$prefix/bin/pathspool" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z+][a-z+]*\) .*/\1/p' > "$work/verbs"
[ -s "$work/verbs" ] || fail "help lists no verbs"
{ echo pathspool.1; sed 's/.*/pathspool-&.1/' "$work/verbs"; } | sort > "$work/expected_pages"
(cd "$prefix/share/man/man1" && printf '%s\n' *) | sort > "$work/pages"
same "$work/expected_pages" "$work/pages" "the pages are not one for each verb"
for page in "$prefix"/share/man/man1/*.1; do
  MANWIDTH=80 man --warnings -l "$page" > "$work/page.txt" 2> "$work/warnings"
  [ ! -s "$work/warnings" ] || fail "$page: $(cat "$work/warnings")"
  grep -q '^NAME' "$work/page.txt" || fail "$page has no NAME"
done

echo "installed copy: passed"
