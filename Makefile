# Everything starts here. `make demo` and `make test` work on a fresh Debian 12: they install what is missing
# (packages.txt), configure, build and run.

DESTDIR ?=
PREFIX ?= /usr/local

.PHONY: build demo test test-dev test-release test-tsan test-fuzz bench bench-programs bench-overhead bench-matching fuzz install format format-check clean packages

build: build/release/build.ninja
	@cmake --build build/release --target pathspool_cli recorder

packages:
	@scripts/install-packages

# A configured tree configures itself anew when a CMake file changes; only the first time is ours.
build/%/build.ninja: CMakePresets.json | packages
	@cmake --preset $* --log-level=WARNING >/dev/null

demo: build
	@examples/demo.sh build/release/pathspool

# Cheapest first; each prints ctest's closing lines.
test: format-check test-dev test-tsan test-fuzz test-release

# Unit tests, laws, differential and command-line tests under AddressSanitizer and UBSan.
test-dev: build/dev/build.ninja
	@cmake --build build/dev
	@ctest --preset dev

# What runs on several threads, under ThreadSanitizer.
test-tsan: build/tsan/build.ninja
	@cmake --build build/tsan --target pathspool_thread_tests
	@ctest --preset tsan -L threads

# Everything that reads a file, under libFuzzer: the kept corpus, then some seconds of new inputs.
test-fuzz: build/fuzz/build.ninja
	@cmake --build build/fuzz --target fuzzers
	@ctest --preset fuzz -L fuzz

# The optimised build: everything again, and what only it can show (memory bounds, sizes, the installed copy).
test-release: build/release/build.ninja
	@cmake --build build/release
	@ctest --preset release

bench: build/release/build.ninja
	@cmake --build build/release
	@bench/run build/release

# Real programs from Debian's sources, built plain and with `pathspool cc`, each run once and compared.
bench-programs: build
	@bench/programs/build

# What recording costs them, beside other tools: bench/results/overhead.*
bench-overhead: build
	@bench/overhead

# What finding a path costs by each scheme, on their recordings: bench/results/matching.*
bench-matching: build
	@cmake --build build/release --target matching_bench path_scanner
	@bench/matching

install: build/release/build.ninja
	@cmake --build build/release --target pathspool_cli pathspool recorder man_pages
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format: packages
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

format-check: packages
	@git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run -Werror

clean:
	@rm -rf build
